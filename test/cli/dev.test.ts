import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openServer } from "../../lib/local/server.ts";
import { tableDefinition } from "../../lib/store/index.ts";
import { schedule, writeAssembly, writeJson } from "../local/assembly-fixture.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { checkDocument } from "../schemas/validate.ts";
import { escapement, root } from "./escapement.ts";

const schedules = { default: { expression: "cron(30 2 1 1 ? *)", timeZone: "Europe/Berlin" } };

/** What the construct writes beside a job's function. */
const metadata = {
  name: "yearly",
  schedules,
  enabled: true,
  overlap: "skip",
  retries: 2,
  timeoutMs: 900_000,
  retentionMs: 86_400_000,
  maxLatenessMs: { default: 3_600_000 },
};

/** One yearly job, whose handler does not end. */
function yearlyAssembly(): string {
  const name = "shop-dev-yearly";
  const dir = writeAssembly(
    {
      [name]: {
        source: "export const handler = () => new Promise((resolve) => setTimeout(resolve, 600_000));",
        timeoutSeconds: 900,
        environment: { ESCAPEMENT_JOB: "yearly", ESCAPEMENT_FLEET: "shop-dev", ESCAPEMENT_TABLE: "runs" },
      },
    },
    {
      Table: { Type: "AWS::DynamoDB::Table", Properties: tableDefinition("runs") },
      Schedule: schedule({
        Name: "yearly-default",
        ScheduleExpression: schedules.default.expression,
        ScheduleExpressionTimezone: schedules.default.timeZone,
        Target: { Arn: { "Fn::GetAtt": [name, "Arn"] } },
      }),
    },
  );
  const file = join(dir, "Shop.template.json");
  const template = JSON.parse(readFileSync(file, "utf8"));
  template.Resources[name].Metadata = { "escapement:jobs": [metadata] };
  writeJson(file, template);
  return dir;
}

interface Dev {
  readonly stateDir: string;
  /** Waits until stdout holds the text, and gives all of it. */
  prints(text: string): Promise<string>;
  interrupt(): void;
  /** The exit code and the signal that ended it. */
  readonly exited: Promise<unknown[]>;
}

function startDev(...args: string[]): Dev {
  const stateDir = tempFolder();
  const child = spawn(
    process.execPath,
    [
      ...["--import", import.meta.resolve("tsx"), join(root, "bin/escapement.ts")],
      ...["dev", "--assembly", yearlyAssembly(), "--state-dir", stateDir, ...args],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let printed = "";
  const looks = new Set<() => void>();
  const lookAll = () => {
    for (const look of looks) look();
  };
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    printed += chunk;
    lookAll();
  });
  child.stdout.on("end", lookAll);
  return {
    stateDir,
    prints: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (printed.includes(text)) resolve(printed);
          else if (child.stdout.readableEnded) reject(new Error(`it ended without "${text}":\n${printed}`));
        };
        looks.add(look);
        look();
      }),
    interrupt: () => child.kill("SIGINT"),
    exited: once(child, "exit"),
  };
}

test("dev shows when a yearly job fires, where things are and how to run it now; Ctrl-C ends it with 0 (LD-15)", async () => {
  const dev = startDev();
  const printed = await dev.prints("Ctrl-C stops.");

  const isOld = Number.parseInt(process.versions.node, 10) < 22;
  expect(printed.includes("is older than 22, the oldest that Escapement is made for. Install Node 22 or 24")).toBe(
    isOld,
  );
  expect(printed).toMatch(
    /^yearly .*Europe\/Berlin .*\d{4}-01-01 01:30:00 UTC +\d{4}-01-01 02:30:00 \+01:00 +idle +none yet$/m,
  );
  expect(printed).toContain(`State      ${dev.stateDir}`);
  expect(printed).toMatch(/Dashboard {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n/);
  expect(printed).toContain(`npx tsx bin/escapement.ts trigger yearly --wait --state-dir ${dev.stateDir}`);

  dev.interrupt();
  await dev.prints("Stopped.");
  expect(await dev.exited).toEqual([0, null]);
});

test("a second Ctrl-C ends a handler that is at work at once", async () => {
  const dev = startDev();
  await dev.prints("Ctrl-C stops.");
  expect((await escapement(["trigger", "yearly", "--state-dir", dev.stateDir])).code).toBe(0);
  await dev.prints("yearly started");

  dev.interrupt();
  await dev.prints("have 5 seconds");
  dev.interrupt();
  await dev.prints("Stopping at once");
  await dev.prints("Stopped. Cut short, and delivered again at the next start: 1.");
  expect(await dev.exited).toEqual([0, null]);

  const { stdout } = await escapement(["list", "--state-dir", dev.stateDir]);
  expect(stdout).toContain("; no runner is running\n");
  expect(stdout).toContain("Next, if a runner runs");
});

test("dev --json prints one document when the runner is ready, and nothing else", async () => {
  const dev = startDev("--json");
  const printed = await dev.prints("\n}\n");

  dev.interrupt();
  await dev.exited;
  checkDocument("dev", printed);
  expect(JSON.parse(printed)).toMatchObject({ target: { running: true }, jobs: [{ job: "yearly" }] });
});

test("a port that another folder's runner has is said to be a runner's", async () => {
  const other = await openServer(0, { pid: 4711, startedAt: "2026-05-01T00:00:00.000Z" });
  onTestFinished(() => other.close());
  const { port } = new URL(other.url);
  const { code, stderr } = await escapement(["dev", "--port", port, "--state-dir", tempFolder()]);

  expect(code).toBe(1);
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use by the local runner of another folder (process 4711).`);
});

test("dev without an assembly in the folder named ends with 2 and says so", async () => {
  const { code, stderr } = await escapement(["dev", "--assembly", tempFolder(), "--state-dir", tempFolder()]);

  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: .*manifest\.json/);
});

test.each([
  [["--speed", "0"], "A number from 1 to 10000 is allowed, such as 60x."],
  [["--now", "2026-10-25"], 'it "2026-10-25" is no instant: write ISO 8601 with Z or an offset'],
])("dev %j is refused with what is allowed", async (args, words) => {
  const { code, stderr } = await escapement(["dev", ...args, "--state-dir", tempFolder()]);

  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

test("dev --now begins then, and a command in another terminal takes its time from it", async () => {
  const dev = startDev("--now", "2030-12-31T12:00:00Z");
  expect(await dev.prints("Ctrl-C stops.")).toContain("2031-01-01 01:30:00 UTC");
  const { stdout } = await escapement(["next", "yearly", "--json", "--state-dir", dev.stateDir]);
  expect(stdout).toContain('"2031-01-01T01:30:00Z"');
});

import { execFile, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../local/temp-folder.ts";
import { escapement, root } from "./escapement.ts";

const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  // The package as it is here stands for the installed one.
  NODE_OPTIONS: "--conditions=escapement-source",
  CDK_VALIDATION: "false",
};
const run = (folder: string, program: string, ...args: string[]) =>
  promisify(execFile)(join(root, "node_modules/.bin", program), args, { cwd: folder, env });

/** As `npm install` would, without a registry. */
function install(folder: string): void {
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== ".cache") symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  symlinkSync(root, join(modules, "escapement"));
}

test("init writes a project that type-checks, tests and synthesizes as it is, a job of new's included", async () => {
  const parent = tempFolder();
  const folder = join(parent, "my-jobs");
  const { code, stdout } = await escapement(["init", "my-jobs"], { cwd: parent });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("cd my-jobs && npm install") });
  // This is a checkout: nothing is published that npm could fetch.
  expect(stdout).toContain(`(cd "${root}" && npm pack --silent --pack-destination "${folder}")`);
  const made = await escapement(["new", "nightly-sync"], { cwd: folder });
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Its test: node --import tsx --test test/nightly-sync.test.ts\n"),
  });
  install(folder);

  // The package's own sources, which a published one has as declarations, are checked along: with the library that they use.
  const asInThePackage = ["--customConditions", "escapement-source", "--lib", "ES2023,ES2024.String"];
  await run(folder, "tsc", "--noEmit", ...asInThePackage);
  const tested = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "--test", ...["daily-report", "nightly-sync"].map((job) => `test/${job}.test.ts`)],
    { cwd: folder, env },
  );
  expect(tested.stdout).toMatch(/pass 2$/m);
  await run(folder, "cdk", "synth", "--quiet");
  const template = readFileSync(join(folder, "cdk.out/my-jobs-dev.template.json"), "utf8");
  expect(template).toContain("my-jobs-dev_daily-report");
  expect(template).toContain("my-jobs-dev_nightly-sync");
}, 180_000);

test("a project of init starts at once with the package as it is published, and Ctrl-C stops it in good order", async () => {
  await promisify(execFile)("npm", ["run", "build"], { cwd: root });
  const folder = join(tempFolder(), "my-jobs");
  await escapement(["init", folder]);
  install(folder);

  const published = { PATH: env.PATH, HOME: env.HOME, CDK_VALIDATION: "false" };
  // A group of its own, since Ctrl-C reaches npm and what it has started.
  const npm = spawn("npm", ["start"], {
    cwd: folder,
    env: published,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-(npm.pid ?? 0), "SIGKILL");
  });
  let printed = "";
  for await (const text of npm.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.includes("Ctrl-C stops.")) break;
  }
  expect(printed).toMatch(/^daily-report /m);
  const list = [join(folder, "node_modules/escapement/dist/bin/escapement.js"), "list", "--json"];
  const listed = await promisify(execFile)(process.execPath, list, { cwd: folder, env: published });
  expect(JSON.parse(listed.stdout)).toMatchObject({ target: { running: true }, jobs: [{ job: "daily-report" }] });

  process.kill(-(npm.pid ?? 0), "SIGINT");
  for await (const text of npm.stdout) printed += text;
  expect(printed).toMatch(/^Stopped\.$/m);
}, 600_000);

describe("nothing is written over", () => {
  test("by new", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "functions"));
    writeFileSync(join(folder, "functions/nightly.ts"), "mine");
    const { code, stderr } = await escapement(["new", "nightly"], { cwd: folder });

    expect(code).toBe(2);
    expect(stderr).toContain("functions/nightly.ts in .: there already; nothing was written");
    expect(readFileSync(join(folder, "functions/nightly.ts"), "utf8")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["functions"]);
  });

  test("by init", async () => {
    const folder = join(tempFolder(), "mine");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), "{}");

    expect(await escapement(["init", folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("package.json"),
    });
    expect(readdirSync(folder)).toEqual(["package.json"]);
  });
});

test("a name that no job can have is refused, and new says where there is no project", async () => {
  const folder = tempFolder();
  expect(await escapement(["new", "Nightly!"], { cwd: folder })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("small letters"),
  });
  expect(await escapement(["new", "nightly"], { cwd: folder })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("init DIR"),
  });
});

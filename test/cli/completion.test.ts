import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { candidatesFor } from "../../lib/cli/completion/candidates.ts";
import { createProgram } from "../../lib/cli/program.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { escapement, root } from "./escapement.ts";
import { startFakeRunner } from "./runner.ts";

let runner: Awaited<ReturnType<typeof startFakeRunner>>;
beforeAll(async () => {
  runner = await startFakeRunner();
});
afterAll(() => runner.close());

const complete = async (...words: string[]) => {
  const asked: Record<string, unknown>[] = [];
  const found = await candidatesFor(createProgram(), words, async (options) => {
    asked.push(options);
    return ["nightly", "weekly"];
  });
  return { values: found.map(({ value }) => value), asked };
};

test.each([
  ["a command", ["re"], ["resume", "resend"]],
  ["an option of the program", ["--ver"], ["--version"]],
  ["a job", ["runs", ""], ["nightly", "weekly"]],
  ["a job by its beginning", ["trigger", "--wait", "we"], ["weekly"]],
  ["an option of a command", ["backfill", "nightly", "--max"], ["--max-parallel"]],
  ["a status", ["runs", "nightly", "--status", "S"], ["SUCCEEDED", "SKIPPED"]],
  ["a status behind a sign, as bash splits it", ["runs", "nightly", "--status", "=", "F"], ["FAILED"]],
  ["a status behind a sign at the end", ["runs", "--status", "="], ["RUNNING", "SUCCEEDED"]],
  ["what a backfill runs", ["backfill", "nightly", "--only", ""], ["missing", "failed", "skipped", "all"]],
  ["a shell", ["completion", ""], ["bash", "zsh", "fish"]],
])("completes %s", async (_what, words, values) => {
  const found = (await complete(...words)).values;
  expect(found).toEqual(words.at(-1) === "=" ? expect.arrayContaining(values) : values);
});

test.each([
  ["the value of an option that may be anything", ["trigger", "nightly", "--reason", ""]],
  ["behind the last argument", ["runs", "nightly", ""]],
  ["a command that does not exist", ["rnus", ""]],
])("has nothing to say: %s", async (_what, words) => {
  expect((await complete(...words)).values).toEqual([]);
});

test("asks the stack that was typed for its jobs", async () => {
  const { asked } = await complete("runs", "--stack", "Shop-prod", "--region", "eu-central-1", "");
  expect(asked).toMatchObject([{ stack: "Shop-prod", region: "eu-central-1" }]);
});

test("in a real bash: commands, then the runner's jobs, then an option's values", async () => {
  const bin = join(tempFolder(), "bin");
  mkdirSync(bin);
  const program = join(bin, "escapement");
  const loader = import.meta.resolve("tsx");
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" --import "${loader}" "${join(root, "bin/escapement.ts")}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  const script = `
    source <(escapement completion bash)
    press() { COMP_WORDS=(escapement "$@"); COMP_CWORD=$#; COMPREPLY=(); _escapement; echo "\${COMPREPLY[*]}"; }
    press des
    press describe --state-dir "${runner.stateDir}" ""
    press runs nightly --status TIM
    press trigger --reason '$(echo evaluated >&2)' --wa
    complete -p escapement`;
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
  const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", "-c", script], { env });

  expect(stdout).toBe("describe\nnightly\nTIMED_OUT\n--wait\ncomplete -o default -F _escapement escapement\n");
  expect(stderr).toBe("");
});

test("is silent where no runner is, and says which shells there are", async () => {
  const nothing = await escapement(["complete", "--", "runs", "--state-dir", tempFolder(), ""]);
  expect(nothing).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await escapement(["completion", "tcsh"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Allowed choices are bash, zsh, fish"),
  });
});

import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

describe("in a real shell, of which the program is on the path", () => {
  let folder: string;
  let stateDir: string;
  /** A shell's own name for the folder: with a space in it, and quoted. */
  const quoted = () => `"${stateDir}"`;
  beforeEach(() => {
    folder = tempFolder();
    stateDir = join(folder, "of mine");
    symlinkSync(runner.stateDir, stateDir);
    mkdirSync(join(folder, "bin"));
    const program = `exec "${process.execPath}" --import "${import.meta.resolve("tsx")}" "${join(root, "bin/escapement.ts")}" "$@"`;
    writeFileSync(join(folder, "bin/escapement"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  });
  const inShell = async (shell: string, args: string[], script: string) => {
    const env = { ...process.env, HOME: folder, PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
    const { stdout, stderr } = await promisify(execFile)(shell, [...args, script], { env, cwd: folder });
    return { lines: stdout.replace(/\n$/, "").split("\n"), stderr, evaluated: existsSync(join(folder, "evaluated")) };
  };
  const isMissing = (shell: string) => spawnSync(shell, ["--version"]).error !== undefined;

  test("bash: commands, then the runner's jobs, then an option's values", async ({ skip }) => {
    skip(isMissing("bash"), "bash is not installed here");
    const script = `
      source <(escapement completion bash)
      press() { COMP_WORDS=(escapement "$@"); COMP_CWORD=$#; COMPREPLY=(); _escapement; echo "\${COMPREPLY[*]}"; }
      press des
      press describe --state-dir '${quoted()}' ""
      press runs nightly --status TIM
      press trigger --reason '$(touch evaluated)' --wa
      complete -p escapement`;
    expect(await inShell("bash", ["--norc", "-c"], script)).toEqual({
      lines: ["describe", "nightly", "TIMED_OUT", "--wait", "complete -o default -F _escapement escapement"],
      stderr: "",
      evaluated: false,
    });
  });

  test("zsh: the same, by its own line editor", async ({ skip }) => {
    skip(isMissing("zsh"), "zsh is not installed here: apt-get install zsh");
    // A terminal of its own, in which ^G shows the line as it stands and empties it.
    const setUp = `
      PS1=
      autoload -Uz compinit
      compinit -u -D
      source <(escapement completion zsh)
      shown() { print -r -- "<$BUFFER>"; BUFFER= }
      zle -N shown
      bindkey '^G' shown`;
    writeFileSync(join(folder, "set-up.zsh"), setUp);
    const script = `
      zmodload zsh/zpty
      zpty shell zsh -f -i
      press() {
        zpty -w -n shell "escapement $1"$'\\t\\a'
        local heard= part=
        while [[ $heard != *'<'*'>'* ]]; do zpty -r shell part || return; heard+=$part; done
        print -r -- "\${\${heard##*'<'}%%'>'*}"
      }
      zpty -w shell "source set-up.zsh"
      press des
      press 'describe --state-dir ${quoted()} ni'
      press 'runs nightly --status TIM'
      press 'trigger --reason "$(touch evaluated)" --wa'`;
    expect(await inShell("zsh", ["-f", "-c"], script)).toEqual({
      lines: [
        "escapement describe ",
        `escapement describe --state-dir ${quoted()} nightly `,
        "escapement runs nightly --status TIMED_OUT ",
        'escapement trigger --reason "$(touch evaluated)" --wait ',
      ],
      stderr: "",
      evaluated: false,
    });
  });

  test("fish: the same, with what each is", async ({ skip }) => {
    skip(isMissing("fish"), "fish is not installed here: apt-get install fish");
    const script = `
      escapement completion fish | source
      complete --do-complete 'escapement des'
      complete --do-complete 'escapement describe --state-dir ${quoted()} '
      complete --do-complete 'escapement runs nightly --status TIM'
      complete --do-complete 'escapement trigger --reason "$(touch evaluated)" --wa'`;
    expect(await inShell("fish", ["--no-config", "-c"], script)).toEqual({
      lines: [
        "describe\tshow one job: schedules, options, lock, newest runs",
        "nightly",
        "TIMED_OUT",
        "--wait\tfollow the run to its end; exit 0 only if it succeeded",
      ],
      stderr: "",
      evaluated: false,
    });
  });
});

test("is silent where no runner is, and says which shells there are", async () => {
  const nothing = await escapement(["complete", "--", "runs", "--state-dir", tempFolder(), ""]);
  expect(nothing).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await escapement(["completion", "tcsh"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Allowed choices are bash, zsh, fish"),
  });
});

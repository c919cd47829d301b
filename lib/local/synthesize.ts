import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readCdkProject } from "./cdk-project.ts";
import { RunnerError } from "./errors.ts";
import { writeJson } from "./json-file.ts";
import type { Keeper } from "./keeper.ts";

/**
 * Synthesizes the CDK app in the current folder: runs it as `npx cdk synth` does, without the CDK's command line around
 * it, which takes as long again. The templates and assets are the same. Needs no network and no credentials.
 *
 * @throws RunnerError SYNTH_FAILED with the app's own words
 */
export async function synthesize(assemblyDir: string, keeper: Keeper): Promise<void> {
  const { commands, context } = readCdkProject();
  mkdirSync(assemblyDir, { recursive: true });
  // A file, since a variable of the environment may be too short for what is kept of look-ups.
  const contextFile = join(assemblyDir, "context.json");
  writeJson(contextFile, context);
  const env = { ...synthEnvironment(), CDK_OUTDIR: assemblyDir, CONTEXT_OVERFLOW_LOCATION_ENV: contextFile };
  for (const command of commands) await runCommand(command, env, keeper);
}

async function runCommand(command: string, env: NodeJS.ProcessEnv, keeper: Keeper): Promise<void> {
  const child = spawn(command, { env, shell: true, stdio: ["ignore", "pipe", "pipe"], detached: true });
  keeper.keep(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | string>((done) => {
    child.once("error", (error) => done(error.message));
    child.once("close", (exitCode, signal) => done(exitCode ?? signal ?? "no exit code"));
  });
  if (code === 0) return;
  const said = ownWords(output) || `"${command}" ended with ${code} and said nothing.`;
  throw new RunnerError("SYNTH_FAILED", `The CDK app could not be synthesized.\n${said}`, { exitCode: 1 });
}

/**
 * Without the shell's AWS settings, so that no account is asked; without what an npm around us has set for itself;
 * without the template validator, which takes seconds. The region is the CDK's own where none is configured.
 */
function synthEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(AWS|npm)_/.test(name));
  return {
    ...Object.fromEntries(kept),
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    CDK_DEFAULT_REGION: "us-east-1",
    CDK_VALIDATION: "false",
    NO_COLOR: "1",
  };
}

/** What the app itself wrote: neither a stack nor the line of source above it. */
function ownWords(output: string): string {
  return output
    .replace(/^\S+:\d+\n.*\n\s*\^+\n/gm, "")
    .split("\n")
    .filter((line) => !/^\s+at |^Node\.js v\d|^\s*$/.test(line))
    .join("\n")
    .trim();
}

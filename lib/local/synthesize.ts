import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readCdkProject } from "./cdk-project.ts";
import { RunnerError } from "./errors.ts";
import type { Tell } from "./events.ts";
import { writeJson } from "./json-file.ts";
import { type Keeper, signalGroup } from "./keeper.ts";

/** Whose app takes longer is told that it has not ended: it may never do. */
const PATIENCE_MS = 60_000;

interface SynthesisOptions {
  readonly keeper: Keeper;
  readonly tell: Tell;
  /** Ends it: nobody wants the result any more. */
  readonly signal?: AbortSignal;
}

/**
 * Synthesizes the CDK app in the current folder: runs it as `npx cdk synth` does, without the CDK's command line around
 * it, which takes as long again. The templates and assets are the same. Needs no network and no credentials.
 *
 * @throws RunnerError SYNTH_FAILED with the app's own words; any error once the signal is aborted
 */
export async function synthesize(assemblyDir: string, options: SynthesisOptions): Promise<void> {
  const { commands, context } = readCdkProject();
  mkdirSync(assemblyDir, { recursive: true });
  // A file, since a variable of the environment may be too short for what is kept of look-ups.
  const contextFile = join(assemblyDir, "context.json");
  writeJson(contextFile, context);
  const env = { ...synthEnvironment(), CDK_OUTDIR: assemblyDir, CONTEXT_OVERFLOW_LOCATION_ENV: contextFile };
  for (const command of commands) await runCommand(command, env, options);
}

async function runCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  { keeper, tell, signal }: SynthesisOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const child = spawn(command, { env, shell: true, stdio: ["ignore", "pipe", "pipe"], detached: true });
  keeper.keep(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const impatience = setTimeout(() => {
    const message = `The CDK app has not ended yet: "${command}" has been at work for ${PATIENCE_MS / 1000} seconds. If something keeps it open, such as a timer or a connection, close that in the app.`;
    tell({ kind: "warning", message });
  }, PATIENCE_MS);
  const kill = () => {
    signalGroup(child, "SIGKILL");
    // Who left the group may still hold them.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  signal?.addEventListener("abort", kill);
  const code = await new Promise<number | string>((done) => {
    child.once("error", (error) => done(error.message));
    child.once("close", (exitCode, killedBy) => done(exitCode ?? killedBy ?? "no exit code"));
  });
  clearTimeout(impatience);
  signal?.removeEventListener("abort", kill);
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

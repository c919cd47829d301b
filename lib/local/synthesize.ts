import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { RunnerError } from "./errors.ts";
import type { Keeper } from "./keeper.ts";

/**
 * Synthesizes the CDK app in the current folder, as `npx cdk synth` does. Needs no network and no credentials.
 *
 * @throws RunnerError SYNTH_FAILED with the app's own words
 */
export async function synthesize(assemblyDir: string, keeper: Keeper): Promise<void> {
  if (!existsSync("cdk.json")) {
    const message = `There is no cdk.json in ${resolve(".")}, so there is no CDK app to synthesize. Start in the project's folder, or name a cloud assembly with --assembly.`;
    throw new RunnerError("SYNTH_FAILED", message, { exitCode: 2 });
  }
  const child = spawn(process.execPath, [cdkCommand(), "synth", "--quiet", "--no-notices", "--output", assemblyDir], {
    env: synthEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
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
  const said = ownWords(output) || `"npx cdk synth" ended with ${code} and said nothing.`;
  throw new RunnerError("SYNTH_FAILED", `The CDK app could not be synthesized.\n${said}`, { exitCode: 1 });
}

/** The project's own CDK; by its path, since npx takes a second more and may look for it in the network. */
function cdkCommand(): string {
  try {
    return createRequire(resolve("package.json")).resolve("aws-cdk/bin/cdk");
  } catch (error) {
    const message = `The AWS CDK is not installed in ${resolve(".")}: npm install --save-dev aws-cdk`;
    throw new RunnerError("SYNTH_FAILED", message, { exitCode: 1, cause: error });
  }
}

/**
 * Without the shell's AWS settings, so that no account is asked; without what an npm around us has set for itself;
 * without the template validator, which takes seconds.
 */
function synthEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(AWS|npm)_/.test(name));
  return {
    ...Object.fromEntries(kept),
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    CDK_VALIDATION: "false",
    CDK_DISABLE_CLI_TELEMETRY: "true",
    NO_COLOR: "1",
  };
}

/** What the app itself wrote: no stack, none of the CDK's own closing lines. */
function ownWords(output: string): string {
  return output
    .split("\n")
    .filter((line) => !/^\s+at |Subprocess exited with error|^Node\.js v\d|^\s*$/.test(line))
    .join("\n")
    .trim();
}

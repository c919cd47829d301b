import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { RunnerError } from "./errors.ts";
import { readJson } from "./json-file.ts";

export interface CdkProject {
  /** For the shell, one after the other; the last one is the app. */
  readonly commands: readonly string[];
  /** What the app finds with `tryGetContext`. */
  readonly context: Readonly<Record<string, unknown>>;
}

interface Settings {
  readonly app?: string | readonly string[];
  readonly build?: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly pathMetadata?: boolean;
  readonly assetMetadata?: boolean;
  readonly versionReporting?: boolean;
}

/**
 * How `npx cdk synth` would run the app in the current folder: by `cdk.json`, then what it keeps in `cdk.context.json`,
 * then the user's own `~/.cdk.json`.
 *
 * @throws RunnerError SYNTH_FAILED where there is no app, or a file cannot be read
 */
export function readCdkProject(): CdkProject {
  const project = readObject("cdk.json") as Settings | undefined;
  if (!project) {
    throw failed(
      `There is no cdk.json in ${resolve(".")}, so there is no CDK app to synthesize. Start in the project's folder, or name a cloud assembly with --assembly.`,
    );
  }
  const user = (readObject(join(homedir(), ".cdk.json")) ?? {}) as Settings;
  const { app, build, ...settings } = { ...user, ...project };
  const command = typeof app === "object" ? app.join(" ") : app;
  if (!command) throw failed('cdk.json names no app. Its "app" is the command that runs it: "npx tsx bin/app.ts".');
  if (statSync(command, { throwIfNoEntry: false })?.isDirectory()) {
    throw failed(`The app in cdk.json is a folder, a cloud assembly. Name it with --assembly ${command}.`);
  }
  const context = { ...user.context, ...readObject("cdk.context.json"), ...project.context, ...ownContext(settings) };
  return { commands: [...(build ? [build] : []), withInterpreter(command)], context };
}

/** What the CDK's command line passes on in every synthesis. */
function ownContext({ pathMetadata = true, assetMetadata = true, versionReporting = true }: Settings) {
  return {
    ...(pathMetadata && { "aws:cdk:enable-path-metadata": true }),
    ...(assetMetadata && { "aws:cdk:enable-asset-metadata": true }),
    [`aws:cdk:${versionReporting ? "" : "disable-"}version-reporting`]: true,
    "aws:cdk:bundling-stacks": ["**"],
  };
}

/** A script that is named alone is Node's, as for the CDK. */
function withInterpreter(command: string): string {
  const [file = ""] = command.split(" ");
  return file.endsWith(".js") && existsSync(file) ? `"${process.execPath}" ${command}` : command;
}

function readObject(path: string): Record<string, unknown> | undefined {
  try {
    return readJson(path) as Record<string, unknown> | undefined;
  } catch (error) {
    throw failed(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function failed(message: string): RunnerError {
  return new RunnerError("SYNTH_FAILED", message, { exitCode: 2 });
}

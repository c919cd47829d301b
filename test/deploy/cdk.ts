import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export const root = join(import.meta.dirname, "../..");

/** Runs the CDK's command line, as a user does, in a project's folder. Fails with all that it printed. */
export async function cdk(folder: string, ...args: readonly string[]): Promise<void> {
  const program = join(root, "node_modules/aws-cdk/bin/cdk");
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", CI: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`cdk ${args.join(" ")} ended with ${code}:\n${printed}\n${said}`);
}

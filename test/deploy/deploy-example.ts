import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cdk, root } from "./cdk.ts";

/** Deploys the example app as a newcomer does, for all tests to use; it goes with the emulator. */
export async function deployExample(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "escapement-deploy-"));
  const assembly = join(folder, "cdk.out");
  // Side by side, since CI waits for it.
  await Promise.all([
    cdk(folder, "bootstrap", "aws://000000000000/us-east-1"),
    cdk(root, "synth", "--quiet", "--output", assembly),
  ]);
  await cdk(root, "deploy", "--app", assembly, "--require-approval", "never");
}

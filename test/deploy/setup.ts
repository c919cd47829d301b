import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cdk, root } from "./cdk.ts";
import { outputOf } from "./deployed-stack.ts";

/** Deploys the example app as a newcomer does, for all tests to use; it goes with the emulator. */
export default async function setup() {
  const folder = mkdtempSync(join(tmpdir(), "escapement-deploy-"));
  const assembly = join(folder, "cdk.out");
  try {
    // Side by side, since CI waits for it.
    await Promise.all([
      cdk(folder, "bootstrap", "aws://000000000000/us-east-1"),
      cdk(root, "synth", "--quiet", "--output", assembly),
    ]);
    await cdk(root, "deploy", "--app", assembly, "--require-approval", "never");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.env["ESCAPEMENT_TEST_TABLE"] = await outputOf("Escapement-dev", "RunTableName");
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cdk, root } from "./cdk.ts";
import { outputOf } from "./deployed-stack.ts";

/** Deploys the example app as a newcomer does, for all tests to use; it goes with the emulator. */
export default async function setup() {
  const folder = mkdtempSync(join(tmpdir(), "escapement-deploy-"));
  try {
    await cdk(folder, "bootstrap", "aws://000000000000/us-east-1");
    await cdk(root, "deploy", "--require-approval", "never", "--output", join(folder, "cdk.out"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.env["ESCAPEMENT_TEST_TABLE"] = await outputOf("Escapement-dev", "RunTableName");
}

import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createProject } from "../infra/project.ts";
import { cdk, root } from "./cdk.ts";

/**
 * A project of its own, for a test to deploy and to change.
 * @param app the file of its CDK app, from this repository's root
 * @param context what the app is told: `stage=prod`
 */
export function deployableProject(app: string, context: string, files: Readonly<Record<string, string>>) {
  const { directory, functions, remove } = createProject(files);
  cpSync(join(root, "cdk.json"), join(directory, "cdk.json"));
  symlinkSync(join(root, "node_modules/@aws-sdk"), join(directory, "node_modules/@aws-sdk"));
  const program = `${join(root, "node_modules/.bin/tsx")} --conditions=escapement-source ${join(root, app)}`;
  return {
    functions,
    deploy: () =>
      cdk(directory, "deploy", "--all", "--app", program, "--context", context, "--require-approval", "never"),
    destroy: () => cdk(directory, "destroy", "--all", "--app", "cdk.out", "--force"),
    remove,
  };
}

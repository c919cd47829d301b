import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProject } from "../infra/project.ts";
import { app, cdk, root } from "./cdk.ts";

/** The example app in a folder of its own, for a test to change its jobs and deploy it again. */
export function exampleProject(files: Readonly<Record<string, string>>, stage: string) {
  const { directory, functions, remove } = createProject(files);
  cpSync(join(root, "functions"), functions, { recursive: true });
  cpSync(join(root, "cdk.json"), join(directory, "cdk.json"));
  symlinkSync(join(root, "node_modules/@aws-sdk"), join(directory, "node_modules/@aws-sdk"));
  return {
    deploy: () => cdk(directory, "deploy", "--app", app, "--context", `stage=${stage}`, "--require-approval", "never"),
    destroy: () => cdk(directory, "destroy", "--app", "cdk.out", "--force"),
    addJob: (name: string, source: string) => writeFileSync(join(functions, `${name}.ts`), source),
    editJob(name: string, text: string, replacement: string) {
      const file = join(functions, `${name}.ts`);
      const source = readFileSync(file, "utf8");
      if (!source.includes(text)) throw new Error(`${file} does not contain ${text}`);
      writeFileSync(file, source.replace(text, replacement));
    },
    removeJob: (name: string) => rmSync(join(functions, `${name}.ts`)),
    remove,
  };
}

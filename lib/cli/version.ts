import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The version in the package's package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", packageFolder()), "utf8")) as { version: string };
  return version;
}

/** The folder of the checkout that this file is in; undefined where npm has installed the package. */
export function checkoutFolder(): string | undefined {
  const folder = resolve(fileURLToPath(packageFolder()));
  return folder.split("/").includes("node_modules") ? undefined : folder;
}

/** That of the nearest package.json above this file, which lies deeper in the published package than here. */
function packageFolder(): URL {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) folder = new URL("..", folder);
  return folder;
}

import { existsSync, readFileSync } from "node:fs";

/** The version in the nearest package.json above this file, which lies deeper in the published package than here. */
export function packageVersion(): string {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) folder = new URL("..", folder);
  const { version } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as { version: string };
  return version;
}

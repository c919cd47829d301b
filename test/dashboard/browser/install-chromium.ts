import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Installs Chromium where that is one command: on Debian, as root. What it does is shown. */
export function installChromium(): void {
  if (!isDebian() || process.getuid?.() !== 0) return;
  console.log("Installing Chromium…");
  // In a container the lists of packages are mostly missing.
  if (!aptGet("update")) return;
  aptGet("install", "--yes", "--no-install-recommends", "chromium");
}

/** Ubuntu's package of that name has no browser in it, but waits for a snap. */
function isDebian(): boolean {
  const file = "/etc/os-release";
  return existsSync(file) && /^ID=debian$/m.test(readFileSync(file, "utf8"));
}

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { stdio: "inherit", env }).status === 0;
}

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  // Where `npx playwright-core install chromium` puts it.
  chromium.executablePath(),
];

/**
 * Where Chromium is on this machine: what the environment's CHROMIUM names, or else one in the usual places.
 * @throws Error when CHROMIUM names none
 */
export function findChromium(): string | undefined {
  const named = process.env["CHROMIUM"];
  if (!named) return USUAL_PLACES.find((path) => existsSync(path));
  if (existsSync(named)) return named;
  throw new Error(`CHROMIUM names "${named}", where there is no file: name Chromium's program, or unset CHROMIUM.`);
}

/** A browser without a window, and without connections of its own. */
export function launch(): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Root, as in a container, has no sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
}

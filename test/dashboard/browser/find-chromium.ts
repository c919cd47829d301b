import { chromiumPath } from "./chromium.ts";

/** Nothing is tested without a browser: that is said in one line, and is a failure. */
export default function setup(): void {
  if (chromiumPath !== undefined) return;
  console.error(
    "The browser tests need Chromium: `apt-get install chromium` or `brew install chromium`, or name yours in CHROMIUM.",
  );
  process.exit(1);
}

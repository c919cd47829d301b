import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundlePage } from "./page-files.ts";

// Writes the bundled page into a folder: `npm run build` puts it into the package.
const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("Say which folder the page is written to: tsx lib/dashboard/write-page.ts DIR");
mkdirSync(folder, { recursive: true });
for (const [name, { body }] of await bundlePage()) writeFileSync(join(folder, name), body);

import { join } from "node:path";
import { build } from "esbuild";

/** One file, as a function is deployed: a host is started often, and has to be quick at it. */
export async function bundleHost(dir: string): Promise<string> {
  const outfile = join(dir, "host.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "host.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    mainFields: ["module", "main"],
    minify: true,
    keepNames: true,
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outfile;
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { build } from "esbuild";

/** One file of the page, as the browser gets it. */
export interface PageFile {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};
const folder = join(import.meta.dirname, "page");

/**
 * The page's files by their path: `index.html`, which is for `/`, `page.js`, `page.css` and `icon.svg`. In this
 * repository the page is bundled now, in some 100 ms; the package carries it as it is.
 */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  return existsSync(join(folder, "main.tsx")) ? bundlePage() : readFolder();
}

/** Bundles the page from its sources. */
export async function bundlePage(): Promise<ReadonlyMap<string, PageFile>> {
  const { outputFiles } = await build({
    entryPoints: { page: join(folder, "main.tsx") },
    outdir: folder,
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "silent",
  });
  const bundled = outputFiles.map(({ path, contents }) => [path.slice(folder.length + 1), contents] as const);
  const asTheyAre = ["index.html", "icon.svg"].map((name) => [name, readFileSync(join(folder, name))] as const);
  return new Map([...asTheyAre, ...bundled].map(([name, contents]) => [name, pageFile(name, contents)]));
}

function readFolder(): ReadonlyMap<string, PageFile> {
  return new Map(readdirSync(folder).map((name) => [name, pageFile(name, readFileSync(join(folder, name)))]));
}

function pageFile(name: string, contents: Uint8Array): PageFile {
  return { contentType: CONTENT_TYPES[extname(name)] ?? "application/octet-stream", body: new Uint8Array(contents) };
}

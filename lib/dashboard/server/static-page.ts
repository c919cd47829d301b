import { Hono, type MiddlewareHandler } from "hono";
import { type PageFile, pageFiles } from "../page-files.ts";

const FILE_AT = { "/": "index.html", "/page.js": "page.js", "/page.css": "page.css", "/icon.svg": "icon.svg" };

/** The page: files without any data in them, and no other path. */
export function staticPage(...before: MiddlewareHandler[]): Hono {
  const app = new Hono();
  let loading: Promise<ReadonlyMap<string, PageFile>> | undefined;
  for (const [path, name] of Object.entries(FILE_AT)) {
    for (const middleware of before) app.get(path, middleware);
    app.get(path, async (c) => {
      loading ??= pageFiles();
      const file = (await loading).get(name);
      if (!file) return c.notFound();
      return c.body(file.body, 200, { "Content-Type": file.contentType, "Cache-Control": "no-cache" });
    });
  }
  return app;
}

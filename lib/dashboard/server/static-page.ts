import { Hono } from "hono";
import { type PageFiles, pageFiles } from "./page-files.ts";

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Escapement</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/page.css">
<script type="module" src="/assets/page.js"></script>
</head>
<body><div id="app"></div></body>
</html>
`;

/** The page: one document, one program, one style sheet. It holds no data: all of that is behind the API. */
export function staticPage(): Hono {
  const app = new Hono();
  let files: Promise<PageFiles> | undefined;
  const load = () => {
    files ??= pageFiles();
    return files;
  };
  app.get("/", (c) => c.html(HTML));
  app.get("/assets/page.js", async (c) => c.body((await load()).js, 200, { "Content-Type": "text/javascript" }));
  app.get("/assets/page.css", async (c) => c.body((await load()).css, 200, { "Content-Type": "text/css" }));
  return app;
}

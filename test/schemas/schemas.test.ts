import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { API_SCHEMAS_FILE, generateApiSchemas, generateSchemas, SCHEMAS_DIR } from "./generate.ts";

test("docs/schemas is as the types say; where it is not: npm run schemas", () => {
  const kept = readdirSync(SCHEMAS_DIR).map((file) => [
    file.replace(/\.json$/, ""),
    readFileSync(join(SCHEMAS_DIR, file), "utf8"),
  ]);

  expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(generateSchemas()));
});

test("so are the schemas of the dashboard's API", () => {
  expect(readFileSync(API_SCHEMAS_FILE, "utf8")).toBe(generateApiSchemas());
});

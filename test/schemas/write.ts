import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { API_SCHEMAS_FILE, generateApiSchemas, generateSchemas, SCHEMAS_DIR } from "./generate.ts";

// Writes docs/schemas and lib/dashboard/schemas.json anew from the types: `npm run schemas`.

rmSync(SCHEMAS_DIR, { recursive: true, force: true });
mkdirSync(SCHEMAS_DIR);
for (const [command, text] of generateSchemas()) writeFileSync(join(SCHEMAS_DIR, `${command}.json`), text);
writeFileSync(API_SCHEMAS_FILE, generateApiSchemas());

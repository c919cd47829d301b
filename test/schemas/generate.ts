import { join } from "node:path";
import { createGenerator } from "ts-json-schema-generator";
import { createProgram } from "../../lib/cli/program.ts";

const root = join(import.meta.dirname, "../..");
export const SCHEMAS_DIR = join(root, "docs/schemas");

interface Schema {
  readonly title?: string;
  readonly description?: string;
}

/** The commands that have a `--json`, by what they say of themselves. */
export function documentedCommands(): Map<string, string> {
  const commands = createProgram().commands.filter(({ options }) => options.some(({ long }) => long === "--json"));
  return new Map(commands.map((command) => [command.name(), command.description()]));
}

/** What the dashboard's API answers: `Answers` and all it is made of, from the types in lib/dashboard/api.ts. */
export const API_SCHEMAS_FILE = join(root, "lib/dashboard/schemas.json");

export function generateApiSchemas(): string {
  const generator = generatorOf("lib/dashboard/api.ts");
  const { definitions = {} } = generator.createSchema("Answers");
  const { definitions: refusal = {} } = generator.createSchema("ErrorAnswer");
  const schemas = { ...definitions, ...refusal };
  return `${JSON.stringify(schemas, null, 2).replaceAll('"#/definitions/', '"#/components/schemas/')}\n`;
}

function generatorOf(path: string) {
  return createGenerator({
    path: join(root, path),
    tsconfig: join(root, "tsconfig.json"),
    // `npm run typecheck` does, with a newer compiler than the generator's own.
    skipTypeCheck: true,
    additionalProperties: false,
  });
}

/** The schema of each command's document, as text, by the command's name; from the types in lib/cli/documents.ts. */
export function generateSchemas(): Map<string, string> {
  const generator = generatorOf("lib/cli/documents.ts");
  return new Map(
    [...documentedCommands()].map(([command, description]) => {
      const { $ref, definitions = {} } = generator.createSchema(documentType(command));
      const schema = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: `escapement ${command} --json`,
        description,
        $ref,
        $defs: Object.fromEntries(
          Object.entries(definitions).map(([name, definition]) => [name, { title: name, ...(definition as Schema) }]),
        ),
      };
      // The generator speaks draft 7, where definitions had this other place.
      return [command, `${JSON.stringify(schema, null, 2).replaceAll('"#/definitions/', '"#/$defs/')}\n`];
    }),
  );
}

/** `dead-letters` → `DeadLettersDocument` */
function documentType(command: string): string {
  const words = command.split("-").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Document`;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hono } from "hono";
import { generateSpecs } from "hono-openapi";

/** Made from the types in api.ts: `npm run schemas`. */
const SCHEMAS_FILE = join(import.meta.dirname, "../schemas.json");

/** Where a request is refused with what stands, instead of an error. */
const CONFLICTS = ["pause", "resume", "cancel", "unlock"];

const INFO = {
  title: "Escapement",
  version: "1",
  description:
    "What the command line does, over HTTP: each operation bears the name of its command. Instants are ISO 8601 in UTC, durations milliseconds.",
};

type Json = Record<string, unknown>;

/** The OpenAPI document: the routes as they are, what they take as it is checked, what they answer as the types say. */
export async function openApiDocument(app: Hono): Promise<Json> {
  const { Answers, ...schemas } = JSON.parse(readFileSync(SCHEMAS_FILE, "utf8")) as Record<string, Json>;
  const answers = Answers?.["properties"] as Record<string, Json>;
  const document = await generateSpecs(app, {
    documentation: {
      info: INFO,
      components: {
        schemas,
        securitySchemes: { token: { type: "http", scheme: "bearer", description: "Of the link that is printed" } },
      },
      security: [{ token: [] }],
    },
    defaultValidationErrorResponse: false,
  });
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations as Record<string, Json>)) {
      operation["responses"] = responsesOf(String(operation["operationId"]), answers);
    }
  }
  return document as unknown as Json;
}

function responsesOf(operationId: string, answers: Record<string, Json>): Json {
  const answer = answers[operationId] ?? {};
  const refusal = { $ref: "#/components/schemas/ErrorAnswer" };
  const content = (schema: Json, type = "application/json") => ({ [type]: { schema } });
  return {
    [operationId === "backfill" ? 202 : 200]: {
      description: "As asked",
      content: content(answer, operationId === "events" ? "text/event-stream" : undefined),
    },
    ...(CONFLICTS.includes(operationId) && {
      409: { description: "Something else stands, and nothing was done", content: content(answer) },
    }),
    default: { description: "Refused", content: content(refusal) },
  };
}

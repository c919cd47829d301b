import { validator } from "hono-openapi";
import * as v from "valibot";
import { refuse } from "./errors.ts";

/*
 * What requests may say. What the operations check themselves, such as whether a text is an instant, is left to them: the
 * command line and the dashboard shall refuse the same in the same words.
 */

const text = v.string();
/** In a query every value is text. */
const number = v.pipe(v.string(), v.regex(/^\d+$/, "a whole number is allowed"), v.transform(Number));

export const nextQuery = v.strictObject({ from: v.optional(text), count: v.optional(number) });
export const runsQuery = v.strictObject({
  status: v.optional(text),
  since: v.optional(text),
  limit: v.optional(number),
});
export const missedQuery = v.strictObject({ from: v.optional(text), to: v.optional(text) });
export const jobTimelineQuery = v.strictObject({ from: text, to: text });
/** `jobs` are names with commas between them. */
export const timelineQuery = v.strictObject({ from: text, to: text, jobs: v.optional(text) });
export const auditQuery = v.strictObject({ limit: v.optional(number) });
export const logsQuery = v.strictObject({ runId: v.optional(text), limit: v.optional(number) });

const actor = { by: v.optional(text), reason: v.optional(text) };
const actorWithReason = { by: v.optional(text), reason: text };

export const triggerBody = v.strictObject({ ...actor, input: v.optional(v.unknown()) });
export const pauseBody = v.strictObject({ ...actorWithReason, until: v.optional(text) });
export const resumeBody = v.strictObject({ ...actor, pausedAt: v.optional(text) });
export const cancelBody = v.strictObject({ ...actorWithReason, runId: v.optional(text) });
export const unlockBody = v.strictObject({ ...actorWithReason, owner: text });
export const discardBody = v.strictObject({ ...actorWithReason, id: text });
export const resendBody = v.strictObject({ ...actor, id: v.optional(text) });

const backfillQuery = {
  from: text,
  to: text,
  only: v.optional(text),
  id: v.optional(text),
  runs: v.optional(v.array(text)),
  evenIfPaused: v.optional(v.boolean()),
  maxParallel: v.optional(v.number()),
};
export const backfillPlanBody = v.strictObject(backfillQuery);
export const backfillBody = v.strictObject({ ...backfillQuery, ...actor, maxFailureRate: v.optional(v.number()) });

/** The OpenAPI document shows a value as it is sent, not as it is read. */
const AS_SENT = { options: { typeMode: "input" } };

type Schema = v.GenericSchema;

/** A query as the schema has it, else 400 with what is wrong. */
export function query<S extends Schema>(schema: S) {
  return validator(
    "query",
    schema,
    (result, c) => (result.success ? undefined : refuse(c, 400, "INVALID_INPUT", wrong(result.error))),
    AS_SENT,
  );
}

/** A JSON body as the schema has it, else 400 with what is wrong. */
export function body<S extends Schema>(schema: S) {
  return validator(
    "json",
    schema,
    (result, c) => (result.success ? undefined : refuse(c, 400, "INVALID_INPUT", wrong(result.error))),
    AS_SENT,
  );
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** `reason: Invalid key: Expected "reason" but received undefined` */
function wrong(issues: readonly Issue[]): string {
  return issues
    .map(({ message, path = [] }) => {
      const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
      return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
    })
    .join("; ");
}

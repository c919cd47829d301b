import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorAnswer } from "../api.ts";

const STATUS_OF_CODE: Readonly<Record<string, ContentfulStatusCode>> = {
  INVALID_INPUT: 400,
  INVALID_SCHEDULE: 400,
  UNKNOWN_PAST: 400,
  UNKNOWN_JOB: 404,
  UNKNOWN_RUN: 404,
  UNKNOWN_LETTER: 404,
  PAUSED: 409,
  NO_ROOM: 409,
  NO_STATE: 503,
  NOT_RUNNING: 503,
  NO_CREDENTIALS: 503,
  CREDENTIALS_EXPIRED: 503,
  ACCESS_DENIED: 502,
  AWS_FAILED: 502,
};

export function refuse(c: Context, status: ContentfulStatusCode, code: string, message: string): Response {
  return c.json({ error: { code, message } } satisfies ErrorAnswer, status);
}

/** Every error that is meant to be read carries a code; of any other nothing is told but that there was one. */
export function answerError(error: Error, c: Context): Response {
  if (error instanceof HTTPException)
    return refuse(c, error.status as ContentfulStatusCode, "BAD_REQUEST", error.message);
  if ("code" in error && typeof error.code === "string") {
    return refuse(c, STATUS_OF_CODE[error.code] ?? 500, error.code, error.message);
  }
  process.emitWarning(`The dashboard could not answer ${c.req.method} ${c.req.path}: ${error.stack}`);
  return refuse(c, 500, "INTERNAL", "a fault in Escapement, not in your input; the command line says more");
}

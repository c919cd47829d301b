import { createHash } from "node:crypto";
import type { RunRecord } from "../../run/index.ts";

/** The input of a run, as far as anybody still knows it. */
export type KeptInput = { readonly isKnown: true; readonly value: unknown } | { readonly isKnown: false };

/** The stack's schedules have an empty input. */
const SCHEDULE_INPUT = "{}";

/** What a run was given is kept only where its job says so, and may be kept without what must not be stored. */
export function inputOf({ input, schedule }: Pick<RunRecord, "input" | "schedule">): KeptInput {
  if (!input) return { isKnown: true, value: undefined };
  const json = input.json ?? (schedule === undefined ? undefined : SCHEDULE_INPUT);
  const isWhole = json !== undefined && createHash("sha256").update(json).digest("hex") === input.hash;
  return isWhole ? { isKnown: true, value: JSON.parse(json) } : { isKnown: false };
}

import { nearest, shown } from "../schedule/index.ts";
import { type Duration, parseDuration } from "./duration.ts";
import { JobError } from "./errors.ts";

export { shown };

/** Checks of single option values. Each returns the value in its inner form, or throws a `JobError` that says what is allowed. */
export type Checks = ReturnType<typeof checksFor>;

export function checksFor(job: string | undefined) {
  function refuse(field: string, value: unknown, problem: string, cause?: unknown): JobError {
    return new JobError({ job, field, value, problem, cause });
  }

  function refuseValue(field: string, value: unknown, allowed: string): JobError {
    return refuse(field, value, `${field} is ${shown(value)}. Allowed: ${allowed}.`);
  }

  return {
    refuse,
    refuseValue,

    object(field: string, value: unknown): void {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw refuseValue(field, value, "an object");
    },

    onlyKeys(value: object, allowed: readonly string[], prefix = ""): void {
      const unknown = Object.keys(value).find((key) => !allowed.includes(key));
      if (unknown === undefined) return;
      const meant = nearest(unknown, allowed);
      const hint = meant === undefined ? "" : ` Did you mean "${prefix}${meant}"?`;
      const problem = `unknown option "${prefix}${unknown}".${hint} Allowed: ${allowed.join(", ")}.`;
      throw refuse(`${prefix}${unknown}`, Reflect.get(value, unknown), problem);
    },

    durationMs(field: string, value: unknown, limits: { atLeast: Duration; atMost: Duration }): number {
      const ms = parseDuration(value);
      if (ms !== undefined && ms >= durationMs(limits.atLeast) && ms <= durationMs(limits.atMost)) return ms;
      throw refuseValue(
        field,
        value,
        `from "${limits.atLeast}" to "${limits.atMost}", in seconds, minutes, hours or days`,
      );
    },

    wholeNumber(field: string, value: unknown, limits: { atLeast: number; atMost: number }): number {
      if (Number.isInteger(value) && Number(value) >= limits.atLeast && Number(value) <= limits.atMost)
        return Number(value);
      throw refuseValue(field, value, `a whole number from ${limits.atLeast} to ${limits.atMost}`);
    },

    flag(field: string, value: unknown): boolean {
      if (typeof value === "boolean") return value;
      throw refuseValue(field, value, "true or false");
    },

    text(field: string, value: unknown, maxLength: number): string {
      if (typeof value === "string" && value.length <= maxLength) return value;
      throw refuseValue(field, value, `text of up to ${maxLength} characters`);
    },

    oneOf<T extends string>(field: string, value: unknown, allowed: readonly T[]): T {
      const found = allowed.find((candidate) => candidate === value);
      if (found !== undefined) return found;
      throw refuseValue(field, value, allowed.map(shown).join(", "));
    },
  };
}

/** Milliseconds of a duration that is known to be well formed. */
export function durationMs(duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms === undefined) throw new TypeError(`${shown(duration)} is no duration`);
  return ms;
}

import ms from "ms";

type Unit = "second" | "seconds" | "minute" | "minutes" | "hour" | "hours" | "day" | "days";

/** A length of time in words: `"90 seconds"`, `"5 minutes"`, `"1 hour"`, `"90 days"`. A day is 24 hours. */
export type Duration = `${number} ${Unit}`;

const SHAPE = /^(0|[1-9]\d{0,5}) (second|minute|hour|day)s?$/;

/** Milliseconds of a duration, or `undefined` where the text is none. */
export function parseDuration(text: unknown): number | undefined {
  return typeof text === "string" && SHAPE.test(text) ? ms(text as Duration) : undefined;
}

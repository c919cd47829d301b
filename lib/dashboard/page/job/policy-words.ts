import type { JobDetail } from "../../../operations/index.ts";

type Policy = Pick<JobDetail, "overlap" | "queueLength" | "catchUp">;

export const OVERLAP_WORDS: Readonly<Record<JobDetail["overlap"], string>> = {
  skip: "skip: one run at a time, others are skipped",
  queue: "queue: one run at a time, others wait",
  replace: "replace: the newest asks the one before it to stop",
  allow: "allow: runs may be at work beside each other",
};

/** How many may wait, and of which; undefined where nothing waits. */
export function queueWords({ overlap, queueLength }: Policy): string | undefined {
  if (queueLength === undefined || overlap === "allow") return undefined;
  const which = overlap === "queue" ? "" : ", of those that are caught up or backfilled";
  return `up to ${queueLength} runs wait${which}`;
}

/** Which of the occurrences that were missed run later. */
export function catchUpWords({ catchUp, queueLength }: Policy): string | undefined {
  if (catchUp === "none") return "none: missed occurrences are not run";
  if (catchUp === "latest") return "latest: the newest missed occurrence is run";
  return catchUp && `all: of the occurrences that were missed the newest ${queueLength} are run`;
}

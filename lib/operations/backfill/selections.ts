/** Which occurrences a backfill runs; without one of these those without a record and those that failed. */
export const SELECTIONS = ["missing", "failed", "skipped", "all"] as const;
export type Selection = (typeof SELECTIONS)[number];

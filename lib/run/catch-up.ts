/** What becomes of occurrences that were missed: nothing, the newest one runs, or all do, up to a limit. */
export const CATCH_UPS = ["none", "latest", "all"] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

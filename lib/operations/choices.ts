import { RUN_STATUSES } from "../run/record.ts";

// What some queries choose from, for who offers the choice: loads nothing else.

export { SELECTIONS } from "./backfill/selections.ts";

/** Of runs with a record, and of those that wait for their job's lock and have none yet. */
export const SHOWN_STATUSES = [...RUN_STATUSES, "WAITING"] as const;

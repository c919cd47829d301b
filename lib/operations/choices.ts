// What some queries choose from, for who offers the choice: loads nothing else.

export { RUN_STATUSES } from "../run/record.ts";
export { SELECTIONS } from "./backfill/selections.ts";

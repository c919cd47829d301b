import { pausesOf, type Span } from "../run/watch/pauses.ts";
import type { RunQueries } from "./queries.ts";

/** What operators did to a job in the time that anybody looks back is hardly more. */
const MAX_ACTIONS = 1_000;

/** A job's pauses, also those that have ended: the state knows the newest alone, and that until it is ended. */
export async function readPauses(records: Pick<RunQueries, "listAudit">, job: string): Promise<Span[]> {
  return pausesOf(await records.listAudit(job, { limit: MAX_ACTIONS }));
}

import { type Backend, findJob } from "./backend.ts";
import { anchorMsOf, NEWEST_RUNS } from "./due.ts";
import { parseInstant } from "./instants.ts";
import { wholeNumber } from "./numbers.ts";
import type { JobUpcoming, NextQuery } from "./types.ts";
import { upcoming } from "./upcoming.ts";
import { warningsOf } from "./warnings.ts";

const DEFAULT_COUNT = 5;

/** The next occurrences of all the job's schedules together, in the order of time. */
export async function nextOfJob(backend: Backend, name: string, query: NextQuery = {}): Promise<JobUpcoming> {
  const fromMs = query.from === undefined ? backend.nowMs() : parseInstant("from", query.from);
  const count = wholeNumber("count", query.count ?? DEFAULT_COUNT);
  const job = await findJob(backend, name);
  const { runs } = await backend.records.readJob(name, { limit: NEWEST_RUNS });

  const found = Object.entries(job.schedules).map(([schedule, spec]) => {
    const coming = upcoming(spec, { fromMs, count, createdMs: anchorMsOf(job, schedule, fromMs + 1, runs) });
    if (!job.enabled || !backend.isDisabled?.(name, schedule)) return { name: schedule, ...coming };
    return { name: schedule, ...coming, occurrences: [], description: `${coming.description} (disabled)` };
  });
  return {
    job: name,
    occurrences: found
      .flatMap(({ name, occurrences }) => occurrences.map((occurrence) => ({ ...occurrence, schedule: name })))
      .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
      .slice(0, count),
    description: found
      .map(({ name, description }) => (found.length > 1 ? `${name}: ${description}` : description))
      .join("; "),
    warnings: warningsOf(found),
  };
}

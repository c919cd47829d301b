import { offsetText } from "./local-time.ts";
import { clockChanges } from "./zone.ts";
import { findZone } from "./zone-name.ts";

/** What a zone's clocks are ahead of UTC before and after a change, such as `+01:00` and `+02:00`. */
export interface OffsetChange {
  readonly atMs: number;
  readonly before: string;
  readonly after: string;
}

/**
 * When the clocks of a zone change, from one instant (inclusive) to another (exclusive).
 *
 * @throws ScheduleError for an unknown zone.
 */
export function offsetChanges(timeZone: string, fromMs: number, toMs: number): OffsetChange[] {
  return clockChanges(findZone(timeZone), fromMs, toMs).map(({ atMs, offsetBeforeMs, offsetAfterMs }) => {
    return { atMs, before: offsetText(offsetBeforeMs), after: offsetText(offsetAfterMs) };
  });
}

import type { Cron } from "./cron.ts";
import { evenStep, listWords, type Run, runsOf, twoDigits, valueWords } from "./words.ts";

/** So many times of day are still read as a list at a glance. */
const MOST_LISTED_TIMES = 6;

/** The times of day: "At 02:30", "Every 15 minutes from 08:00 to 17:45", "At minutes 0 and 45 of every hour". */
export function describeTimes({ minutes, hours }: Pick<Cron, "minutes" | "hours">): string {
  const times = hours.length * minutes.length;
  if (times <= MOST_LISTED_TIMES) {
    return `At ${listWords(hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute))))}`;
  }
  const isEveryHour = hours.length === 24;
  const everyMinutes = stepThroughHour(minutes);
  if (everyMinutes !== undefined) {
    const every = `Every ${everyMinutes === 1 ? "minute" : `${everyMinutes} minutes`}`;
    const firstMinute = minutes[0] as number;
    if (isEveryHour) return firstMinute === 0 ? every : `${every} from minute ${firstMinute} of the hour`;
    const runs = runsOf(hours);
    if (runs.length <= 2) return `${every} ${listWords(runs.map((run) => span(run, minutes)))}`;
  }
  const everyHours = evenStep(hours);
  if (minutes.length === 1 && everyHours !== undefined && !isEveryHour) {
    const every = `Every ${everyHours === 1 ? "hour" : `${everyHours} hours`}`;
    return `${every} ${span({ first: hours[0] as number, last: hours.at(-1) as number }, minutes)}`;
  }
  const ofHours = isEveryHour ? "every hour" : `${hours.length === 1 ? "hour" : "hours"} ${valueWords(hours)}`;
  return `At ${minutes.length === 1 ? "minute" : "minutes"} ${valueWords(minutes)} of ${ofHours}`;
}

/** The step of minutes that goes on evenly from one hour to the next. */
function stepThroughHour(minutes: readonly number[]): number | undefined {
  const step = evenStep(minutes);
  return step !== undefined && step * minutes.length === 60 ? step : undefined;
}

function span({ first, last }: Run, minutes: readonly number[]): string {
  return `from ${clock(first, minutes[0] as number)} to ${clock(last, minutes.at(-1) as number)}`;
}

function clock(hour: number, minute: number): string {
  return `${twoDigits(hour)}:${twoDigits(minute)}`;
}

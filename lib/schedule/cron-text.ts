/** The six fields of a cron expression as texts in the strict form. */
export interface CronTexts {
  readonly minute: string;
  readonly hour: string;
  readonly day: string;
  readonly month: string;
  readonly weekDay: string;
  readonly year: string;
}

/** Names in capitals, numbers without leading zeros: AWS is not known to take anything else. */
export function strictText(field: string): string {
  return field.toUpperCase().replace(/(?<!\d)0+(?=\d)/g, "");
}

/** The texts as one line. */
export function cronText(texts: CronTexts): string {
  const { minute, hour, day, month, weekDay, year } = texts;
  return `cron(${minute} ${hour} ${day} ${month} ${weekDay} ${year})`;
}

/** What a record has under a name from outside, which may be one that every object answers to: `constructor`, `toString`. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

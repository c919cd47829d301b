import fc from "fast-check";

/** Any cron expression in the strict form, with the special forms as likely as the plain ones. */
export function cronExpression(): fc.Arbitrary<string> {
  const days = fc.oneof(
    dayOfMonth().map((day) => [day, "?"] as const),
    dayOfWeek().map((weekDay) => ["?", weekDay] as const),
  );
  return fc
    .tuple(field(0, 59), field(0, 23), days, field(1, 12), years())
    .map(([minute, hour, [day, weekDay], month, year]) => `cron(${minute} ${hour} ${day} ${month} ${weekDay} ${year})`);
}

/** Zones with every kind of clock change, and with none. */
export function timeZone(): fc.Arbitrary<string> {
  return fc.constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Africa/Casablanca",
    "Africa/Cairo",
    "Asia/Kolkata",
    "Asia/Gaza",
    "Pacific/Apia",
    "America/Scoresbysund",
  );
}

/** An instant from 1975 to 2100, to the millisecond. */
export function instantMs(): fc.Arbitrary<number> {
  return fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2100, 0, 1) });
}

function field(min: number, max: number): fc.Arbitrary<string> {
  const value = fc.integer({ min, max });
  const range = fc.tuple(value, value).map(([from, to]) => `${from}-${to}`);
  const step = fc.integer({ min: 1, max: max - min });
  return fc.oneof(
    fc.constant("*"),
    value.map(String),
    range,
    fc.tuple(fc.oneof(fc.constant("*"), value.map(String), range), step).map(([from, by]) => `${from}/${by}`),
    fc.array(fc.oneof(value.map(String), range), { minLength: 2, maxLength: 4 }).map((items) => items.join(",")),
  );
}

function dayOfMonth(): fc.Arbitrary<string> {
  const day = fc.integer({ min: 1, max: 31 });
  return fc.oneof(
    field(1, 31),
    fc.constantFrom("L", "LW"),
    fc.integer({ min: 1, max: 30 }).map((before) => `L-${before}`),
    day.map((near) => `${near}W`),
  );
}

function dayOfWeek(): fc.Arbitrary<string> {
  const name = fc.constantFrom("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
  const weekDay = fc.oneof(fc.integer({ min: 1, max: 7 }).map(String), name);
  return fc.oneof(
    fc.constantFrom("*", "L", "MON-FRI", "FRI-MON"),
    weekDay,
    fc.tuple(weekDay, weekDay).map(([from, to]) => `${from}-${to}`),
    fc.array(weekDay, { minLength: 2, maxLength: 4 }).map((items) => items.join(",")),
    weekDay.map((last) => `${last}L`),
    fc.tuple(weekDay, fc.integer({ min: 1, max: 5 })).map(([of, nth]) => `${of}#${nth}`),
  );
}

function years(): fc.Arbitrary<string> {
  const year = fc.integer({ min: 1970, max: 2199 });
  const range = fc.tuple(year, year).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  return fc.oneof({ weight: 4, arbitrary: fc.constant("*") }, range, fc.constantFrom("1970/2", "2000/4"));
}

import { cron, describeSchedule, localTime, parseSchedule } from "../../lib/schedule/index.ts";
import { next } from "./helpers.ts";

/** Run by host-zone.test.ts in a process of its own, under another TZ: prints what the engine says there. */
console.log(
  JSON.stringify({
    host: new Date(0).getTimezoneOffset(),
    zoneOfDefault: cron("0 12 * * ? *").timeZone,
    utc: next({ expression: "cron(0 12 * * ? *)" }, "2026-05-01T11:59:30Z", 1),
    berlin: next({ expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" }, "2026-03-28T00:00:00Z", 2),
    at: next({ expression: "at(2030-02-01T15:00:00)" }, "2026-05-01T00:00:00Z", 1),
    words: describeSchedule(parseSchedule({ expression: "at(2030-02-01T00:30:00)" })),
    local: localTime(Date.UTC(2026, 2, 28, 1, 30), "Europe/Berlin"),
  }),
);

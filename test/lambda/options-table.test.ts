import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OPTION_NAMES } from "../../lib/lambda/job.ts";
import { DEFAULT_LATENESS, DEFAULTS, LIMITS } from "../../lib/lambda/options.ts";

/** The cells of the documentation's table of options, by option. */
const ROWS = new Map(
  (
    /## Options\n([\s\S]*?)\n##/.exec(readFileSync(join(import.meta.dirname, "../../docs/handler.md"), "utf8"))?.[1] ??
    ""
  )
    .split("\n")
    .map((line) => /^\| `(\w+)` \| (.*?) \| (.*) \|$/.exec(line))
    .filter((row) => row !== null)
    .map(([, option = "", byDefault = "", allowed = ""]) => [option, { byDefault, allowed }] as const),
);

test("the table of options in the documentation lists every option, and no other", () => {
  expect([...ROWS.keys()].sort()).toEqual([...OPTION_NAMES].sort());
});

test.for(Object.entries(DEFAULTS))("it gives the default of %s: %s", ([option, value]) => {
  expect(ROWS.get(option)?.byDefault).toBe(`\`${value}\``);
});

test("it gives the default of maxLateness by its bounds", () => {
  const { atLeast, atMost } = DEFAULT_LATENESS;
  expect(ROWS.get("maxLateness")?.byDefault).toContain(`at least ${atLeast} and at most ${atMost}`);
});

test("an option without a default in the code has none in the table", () => {
  const others = [...ROWS].filter(([option]) => !(option in DEFAULTS));
  expect(Object.fromEntries(others.map(([option, { byDefault }]) => [option, byDefault]))).toEqual({
    schedule: "required",
    maxLateness: expect.any(String),
    heartbeat: "none",
    locks: "none",
    group: "none",
    function: expect.any(String),
    description: "none",
    store: "neither",
    redact: "nothing is removed",
    onSkipped: "nothing is called",
  });
});

test.for(Object.entries(LIMITS))("it gives the limits of %s: %o", ([limit, bounds]) => {
  const option = ROWS.has(limit) ? limit : limit.replace(/Length$/, "");
  const allowed = ROWS.get(option)?.allowed ?? "";
  for (const bound of typeof bounds === "object" ? Object.values(bounds) : [bounds]) {
    // Of "7 days to 3650 days" the first unit may be left out.
    expect(allowed, `${bound} of ${option}`).toMatch(new RegExp(`(?<!\\d)${String(bound).split(" ")[0]}\\b`));
  }
});

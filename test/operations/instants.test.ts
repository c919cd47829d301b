import { expect, test } from "vitest";
import { instantText, parseInstant } from "../../lib/operations/instants.ts";

test.each([
  ["2026-03-28T00:00:00Z", "2026-03-28T00:00:00Z"],
  ["2026-03-28T00:00Z", "2026-03-28T00:00:00Z"],
  ["2026-03-28T01:30:00+01:00", "2026-03-28T00:30:00Z"],
  ["2026-03-28T00:00:00-03:30", "2026-03-28T03:30:00Z"],
  ["2026-03-28T00:00:00.250Z", "2026-03-28T00:00:00.250Z"],
  ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z"],
])("%s is read as the instant %s", (text, instant) => {
  expect(instantText(parseInstant("from", text))).toBe(instant);
});

test.each([
  ["2026-03-28T00:00:00", "no zone: another instant on every machine"],
  ["2026-03-28", "a day, not an instant"],
  ["2026-02-30T00:00:00Z", "a day that does not exist"],
  ["2026-02-29T00:00:00Z", "not a leap year"],
  ["2026-03-28T24:00:00Z", "no such hour"],
  ["2026-03-28T00:60:00Z", "no such minute"],
  ["2026-03-28 00:00:00Z", "not ISO"],
  ["28 March 2026 UTC", "not ISO"],
  ["2026-03-28T00:00:00+15:00", "no zone is that far from UTC"],
  ["yesterday", "no instant at all"],
  ["", "nothing"],
])('"%s" is refused: %s', (text) => {
  expect(() => parseInstant("from", text)).toThrow(
    expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining("2026-03-28T00:00:00Z") }),
  );
});

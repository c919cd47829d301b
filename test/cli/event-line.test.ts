import { describe, expect, test } from "vitest";
import { eventLine } from "../../lib/cli/event-line.ts";

test("an error of a shape of its own is shown as JSON, and its control characters are escaped", () => {
  const error = JSON.parse('{"errorType":{"toString":1},"errorMessage":"no\\u001b[2J\\nforged started"}');
  const invocation = { functionName: "shop-dev-nightly", requestId: "request-1" };

  expect(eventLine({ ...invocation, kind: "finished", durationMs: 5, error }, () => "nightly", 0)).toBe(
    'nightly failed after 5 ms: {"toString":1}: no\\x1b[2J\\x0aforged started',
  );
});

test("a message of more lines keeps them, indented and without control characters", () => {
  const message = "Not reloaded: it could not be synthesized.\nSyntaxError\u001b[2J in\nfunctions/nightly.ts";

  expect(eventLine({ kind: "warning", message }, () => "", 0)).toBe(
    "warning: Not reloaded: it could not be synthesized.\n  SyntaxError\\x1b[2J in\n  functions/nightly.ts",
  );
});

describe("a run that comes again", () => {
  const dueAtMs = Date.UTC(2026, 4, 2, 0, 30);
  const invocation = { functionName: "shop-dev-nightly", requestId: "request-1" };
  const event = { ...invocation, kind: "again", dueAtMs, why: "runner ended" } as const;
  const lineAt = (nowMs: number) => eventLine(event, () => "nightly", nowMs);

  test("is announced with its time", () => {
    expect(lineAt(dueAtMs - 1)).toBe("nightly comes again at 2026-05-02 00:30:00 UTC (runner ended)");
  });

  test("comes at once where that time is past", () => {
    expect(lineAt(dueAtMs)).toBe("nightly comes again at once (runner ended)");
  });
});

describe("what was missed", () => {
  const firstMs = Date.UTC(2026, 4, 2, 0, 30);
  const event = { kind: "missed", job: "nightly", schedule: "default", count: 1, firstMs, lastMs: firstMs } as const;
  const missed =
    "nightly missed 1 of schedule default while no runner ran, or the machine slept (2026-05-02 00:30:00 UTC)";

  test.for([
    ["none", "; not run now"],
    ["latest", "; the watchdog runs the latest one at its next look"],
    ["all", "; the watchdog runs them at its next look: the newest, as many as the job's queueLength says"],
    // An app that an earlier release synthesized does not tell.
    [undefined, ""],
  ] as const)("of a job with catchUp %s, says what becomes of it", ([catchUp, text]) => {
    expect(eventLine({ ...event, catchUp }, () => "", 0)).toBe(`${missed}${text}`);
  });
});

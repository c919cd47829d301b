import { describe, expect, test } from "vitest";
import { requestedFunction } from "../../lib/lambda/dispatch.ts";

const manifest = {
  fleet: "Escapement-dev",
  jobs: {
    "nightly-report": { functionName: "Escapement-dev_nightly-report" },
    "sync-rates": { functionName: "Escapement-dev_sync-rates" },
  },
};

function requested(detail: unknown) {
  return { source: "escapement", "detail-type": "Run Requested", id: "1", detail };
}

describe("the dispatcher", () => {
  test("finds the function of the job", () => {
    expect(
      requestedFunction(requested({ stack: "Escapement-dev", job: "sync-rates", input: { all: true } }), manifest),
    ).toBe("Escapement-dev_sync-rates");
  });

  test.each([
    [
      "an unknown job, with the one that was likely meant",
      requested({ stack: "Escapement-dev", job: "sync-rate" }),
      `The run request's detail.job is "sync-rate". Did you mean "sync-rates"? Allowed: nightly-report, sync-rates.`,
    ],
    [
      "a name that every object has",
      requested({ stack: "Escapement-dev", job: "constructor" }),
      `The run request's detail.job is "constructor". Allowed: nightly-report, sync-rates.`,
    ],
    [
      "another stack",
      requested({ stack: "Escapement-prod", job: "sync-rates" }),
      `The run request's detail.stack is "Escapement-prod". Allowed: "Escapement-dev".`,
    ],
    [
      "no job",
      requested({ stack: "Escapement-dev" }),
      "The run request's detail.job is undefined. Allowed: the job's name.",
    ],
    [
      "no detail",
      requested("{}"),
      `The run request's detail is "{}". Allowed: an object such as {"stack":"Escapement-dev","job":"nightly-report"}.`,
    ],
    [
      "a scheduled time that is none",
      requested({ stack: "Escapement-dev", job: "sync-rates", scheduledTime: "2026-05-01" }),
      `The run request's detail.scheduledTime is "2026-05-01". Allowed: an instant in UTC such as 2026-05-01T00:30:00Z.`,
    ],
    [
      "another event",
      { source: "aws.events" },
      "The dispatcher takes Run Requested events of the source escapement only.",
    ],
  ])("refuses %s", (_what, event, message) => {
    expect(() => requestedFunction(event, manifest)).toThrow(message);
  });

  test("names ten jobs of a large fleet, which a dead letter has room for", () => {
    const jobs = Array.from({ length: 2000 }, (_, index) => [`job-${index}`, { functionName: `fleet_job-${index}` }]);
    const large = { fleet: "Escapement-dev", jobs: Object.fromEntries(jobs) };
    expect(() => requestedFunction(requested({ stack: "Escapement-dev", job: "x" }), large)).toThrow(
      /^The run request's detail\.job is "x"\. Allowed: job-0, job-1, .*, job-9 and 1990 more\.$/,
    );
  });
});

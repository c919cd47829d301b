import { describe, expect, test } from "vitest";
import { applyEvents, fleetOf } from "../../../lib/dashboard/page/fleet/apply-event.ts";
import { countGroups, filterJobs } from "../../../lib/dashboard/page/fleet/filter.ts";
import { type Column, nextSorting, sortJobs } from "../../../lib/dashboard/page/fleet/sort.ts";
import { SHOP } from "../browser/fake/fleet.ts";
import { jobOf, recentOf } from "../browser/fake/jobs.ts";

const names = (jobs: readonly { job: string }[]) => jobs.map(({ job }) => job);

describe("the search", () => {
  test.each([
    ["rates", ["sync-exchange-rates"]],
    // Descriptions, schedules in words and raw, zones, and who paused it and why.
    ["CENTRAL BANK", ["sync-exchange-rates"]],
    ["every catalog", ["rebuild-search-index", "import-catalog"]],
    ["cron(42", ["refresh-recommendations"]],
    ["new_york", ["import-catalog"]],
    ["ada provider", ["send-invoices"]],
    ["nothing like that", []],
  ])("for %s finds %j", (search, found) => {
    expect(names(filterJobs(SHOP, "all", search))).toEqual(found);
  });

  test("goes together with the group", () => {
    expect(names(filterJobs(SHOP, "failing", "orders"))).toEqual(["archive-orders"]);
  });
});

test("each group has its jobs, and a job can be in several", () => {
  expect(countGroups(SHOP)).toEqual({ all: 12, running: 2, failing: 2, paused: 1, warnings: 5, disabled: 2 });
  expect(names(filterJobs(SHOP, "running", ""))).toEqual(["rebuild-search-index", "expire-carts"]);
});

describe("the order", () => {
  const jobs = [
    jobOf("b", 5, { recent: recentOf("SF") }),
    jobOf("a", 9, { recent: recentOf("SSS"), lastRun: undefined }),
    jobOf("c", 7, { recent: recentOf("KKK"), state: "paused", schedules: [] }),
  ];

  test.each<[Column, boolean, string]>([
    ["job", false, "abc"],
    ["job", true, "cba"],
    // What needs a look first comes before what is idle.
    ["state", false, "cab"],
    // Without a next occurrence, a last run, or one that ended well or badly: at the end both ways.
    ["next", false, "bac"],
    ["next", true, "abc"],
    ["last", true, "cba"],
    ["success", false, "bac"],
    ["success", true, "abc"],
  ])("by %s, descending %s: %s", (by, descending, order) => {
    expect(names(sortJobs(jobs, { by, descending })).join("")).toBe(order);
  });

  test("turns round with the second click, and begins with the newest run", () => {
    expect(nextSorting({ by: "job", descending: false }, "job")).toEqual({ by: "job", descending: true });
    expect(nextSorting({ by: "job", descending: true }, "last")).toEqual({ by: "last", descending: true });
  });
});

describe("the fleet after events", () => {
  const fleet = fleetOf([jobOf("a", 1), jobOf("b", 1)]);

  test("has the job as the newest of them says", () => {
    const running = jobOf("a", 1, { state: "running" });
    const paused = jobOf("a", 1, { state: "paused" });
    const after = applyEvents(fleet, [
      { kind: "job", job: running },
      { kind: "job", job: paused },
    ]);
    expect(after.get("a")).toBe(paused);
    expect([...after.keys()]).toEqual(["a", "b"]);
  });

  test("has new jobs, and no removed ones", () => {
    const after = applyEvents(fleet, [
      { kind: "job", job: jobOf("c", 1) },
      { kind: "job-removed", job: "a" },
    ]);
    expect([...after.keys()]).toEqual(["b", "c"]);
  });

  test("is the same one where no job has changed, so that nothing is rendered", () => {
    expect(applyEvents(fleet, [{ kind: "workers", workers: [] }])).toBe(fleet);
  });
});

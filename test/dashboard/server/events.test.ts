import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DashboardEvent } from "../../../lib/dashboard/index.ts";
import { openDashboard, TOKEN } from "./dashboard.ts";

let dashboard: Awaited<ReturnType<typeof openDashboard>>;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

interface Received {
  readonly id: string;
  readonly event: DashboardEvent;
}

/** Reads events over a connection of its own until one fits. */
async function listen(headers: Record<string, string> = {}) {
  const gone = new AbortController();
  const answer = await fetch(`${dashboard.url}/api/events`, {
    headers: { Authorization: `Bearer ${TOKEN}`, ...headers },
    signal: gone.signal,
  });
  const received: Received[] = [];
  const parts = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    answer,
    received,
    async until(fits: (event: DashboardEvent) => boolean): Promise<Received> {
      for (;;) {
        const found = received.find(({ event }) => fits(event));
        if (found) return found;
        text += (await parts?.read())?.value ?? "";
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(block) ?? [];
          if (id !== undefined && data !== undefined) received.push({ id, event: JSON.parse(data) });
        }
      }
    },
    leave: () => gone.abort(),
  };
}

const fleetNow = async () =>
  (await (await dashboard.get("/api/jobs")).json()) as { jobs: object[]; lastEventId: string };
const notice = (message: string) => ({ kind: "notice", level: "info", at: "2026-05-10T12:00:00Z", message }) as const;

test("a run that the runner tells of is read, and told with its job", async () => {
  const { lastEventId, jobs } = await fleetNow();
  expect(jobs).toMatchObject([{ job: "nightly", recent: { runs: [], succeeded: 0, failed: 0 } }]);
  const reader = await listen({ "Last-Event-ID": lastEventId });
  expect(reader.answer.headers.get("content-type")).toBe("text/event-stream");

  const runId = "2026-05-03T00:30:00.000Z#default";
  const due = Date.UTC(2026, 4, 3, 0, 30);
  await dashboard.fleet.run(due, { runId, schedule: "default", scheduledTimeMs: due }, { status: "SUCCEEDED" });
  dashboard.tell({ kind: "job-changed", job: "nightly" });

  const run = await reader.until(({ kind }) => kind === "run");
  expect(run.event).toMatchObject({ run: { runId, status: "SUCCEEDED" } });
  const job = await reader.until(({ kind }) => kind === "job");
  expect(job.event).toMatchObject({ job: { job: "nightly", recent: { succeeded: 1, usualDurationMs: 2_000 } } });
  reader.leave();
});

test("what is done here is told at once, also what is done by another process", async () => {
  const { lastEventId } = await fleetNow();
  const reader = await listen({ "Last-Event-ID": lastEventId });
  await dashboard.post("/api/jobs/nightly/pause", { by: "ada", reason: "source down" });
  await reader.until((event) => event.kind === "job" && event.job.paused?.by === "ada");

  await dashboard.fleet.resume("grace");
  await reader.until((event) => event.kind === "job" && event.job.paused === undefined);
  reader.leave();
});

test("what is left of the dead letters is told when one is discarded or sent again here", async () => {
  const { lastEventId } = await fleetNow();
  const reader = await listen({ "Last-Event-ID": lastEventId });
  await dashboard.post("/api/dead-letters/discard", { id: "gone", reason: "another page was quicker" });

  const { event } = await reader.until(({ kind }) => kind === "dead-letters");
  expect(event).toMatchObject({ letters: [] });
  reader.leave();
});

describe("who comes back", () => {
  test("goes on after the last event that it has seen, without a gap and without one twice", async () => {
    const first = await listen();
    for (const message of ["one", "two", "three"]) dashboard.tell(notice(message));
    const two = await first.until((event) => event.kind === "notice" && event.message === "two");
    first.leave();
    dashboard.tell(notice("four"));

    const second = await listen({ "Last-Event-ID": two.id });
    await second.until((event) => event.kind === "notice" && event.message === "four");
    const messages = second.received.flatMap(({ event }) => (event.kind === "notice" ? event.message : []));
    expect(messages).toEqual(["three", "four"]);
    second.leave();
  });

  test.each(["1", "other-3", "", "x-y-z"])(
    "with an id that is not known (%j) is told to read everything again",
    async (id) => {
      const reader = await listen({ "Last-Event-ID": id });
      const reset = await reader.until(() => true);
      expect(reset.event).toEqual({ kind: "reset", lastEventId: reset.id });
      reader.leave();
    },
  );
});

test("no more than 20 read at once; one who leaves makes room", async () => {
  const readers = await Promise.all(Array.from({ length: 20 }, () => listen()));
  const refused = await dashboard.get("/api/events");
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: "TOO_MANY_READERS" } }]);

  for (const reader of readers) reader.leave();
  for (;;) {
    const reader = await listen();
    reader.leave();
    if (reader.answer.ok) break;
  }
});

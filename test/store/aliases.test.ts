import { expect } from "vitest";
import type { Command, RunRecord } from "../../lib/run/index.ts";
import { createRunStore } from "../../lib/store/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { FLEET, JOB, SECOND, T0, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";
const expiresAtMs = T0 + 90 * SECOND;
const trigger = { kind: "operator" } as const;
const by = { by: "ada", reason: "the source is down", atMs: T0 };
const place = { runId: RUN, at: 0 };
const tally = {
  last: { runId: RUN, status: "FAILED", endedMs: T0 },
  lastSuccess: { runId: RUN, scheduledTimeMs: T0, endedMs: T0 },
  consecutiveFailures: 1,
} as const;
const queued = { runId: RUN, trigger, deliveryId: "d1", requestId: "r1", queuedMs: T0, workTimeMs: T0 };
const lease = {
  ...{ owner: "o1", runId: RUN, deliveryId: "d1", redelivered: true, attempt: 1, startedMs: T0, expiresAtMs, trigger },
  ...{ requestId: "r1", retentionMs: SECOND, progress: { fraction: 0.5, note: "half", atMs: T0 } },
};
const shared = { owner: "o1", job: JOB, runId: RUN, jobFence: 7, expiresAtMs, priority: 0 };
const stop = { owner: "o1", kind: "cancel", ...by } as const;
const seen = { fence: 7, lease, queue: [queued] };
const record: RunRecord = {
  ...{ job: JOB, runId: RUN, status: "RUNNING", fence: 7, attempt: 1, attempts: [], startedMs: T0, trigger },
  ...{ steps: [{ name: "one", json: "1" }], requestId: "r1", expiresAtMs },
};
const entry = (id: string) => ({ job: JOB, id, action: "pause", ...by, expiresAtMs }) as const;

/** Each kind of command, with all that it may hold. */
const commands: { readonly [K in Command["kind"]]: Extract<Command, { readonly kind: K }> } = {
  "read-state": { kind: "read-state", job: JOB },
  "read-record": { kind: "read-record", job: JOB, runId: RUN },
  "find-success": { kind: "find-success", job: JOB, beforeMs: T0 },
  "acquire-newest": { kind: "acquire-newest", job: JOB, lease, highWater: RUN },
  "acquire-as-seen": {
    ...{ kind: "acquire-as-seen", job: JOB, lease, seen, evenIfPaused: false, pauseOver: by, highWater: RUN },
    ...{ leaves: place, takesTurns: true, tally },
  },
  renew: { kind: "renew", job: JOB, lease },
  "ask-to-stop": { kind: "ask-to-stop", job: JOB, stop, entry: entry("a1") },
  "take-lock": {
    kind: "take-lock",
    lock: "billing-db",
    lease: shared,
    startedMs: T0,
    seen: { fence: 7, lease: shared },
  },
  "renew-lock": { kind: "renew-lock", lock: "billing-db", lease: shared },
  "release-lock": { kind: "release-lock", lock: "billing-db", owner: "o1" },
  "ask-lock-holder": { kind: "ask-lock-holder", lock: "billing-db", stop },
  "take-number": {
    ...{ kind: "take-number", job: JOB, nowMs: T0, seen, evenIfPaused: false, pauseOver: by, highWater: RUN },
    leaves: place,
  },
  "put-as-seen": { kind: "put-as-seen", record, seen: record },
  "note-end": { kind: "note-end", job: JOB, seen: tally, tally },
  "join-queue": { kind: "join-queue", job: JOB, seen, entry: queued, isFirst: true },
  "leave-queue": { kind: "leave-queue", job: JOB, leaves: place, entry: entry("a2") },
  release: { kind: "release", job: JOB, owner: "o1", tally },
  "remove-dead-lease": { kind: "remove-dead-lease", job: JOB, seen, tally },
  "raise-high-water": {
    ...{ kind: "raise-high-water", job: JOB, seen, whilePaused: true, highWater: RUN, leaves: place },
  },
  pause: { kind: "pause", job: JOB, paused: by, seen: by, entry: entry("a3") },
  resume: { kind: "resume", job: JOB, seen: by, entry: entry("a4") },
  unlock: { kind: "unlock", job: JOB, owner: "o1", tally, entry: entry("a5") },
  note: { kind: "note", job: JOB, entry: entry("a6") },
  "put-record": { kind: "put-record", record },
  "put-skipped": { kind: "put-skipped", record },
};

/** All words of an expression that are DynamoDB's own. */
const ownWords =
  /\b(SET|REMOVE|AND|OR|IN|BETWEEN|attribute_not_exists|attribute_exists|if_not_exists|list_append|size)\b/g;

test("LK-17: no expression that a command sends has the bare name of an attribute", async ({ scene }) => {
  let sent: string[] = [];
  scene.table.client.middlewareStack.add(
    (next) => (args) => {
      sent.push(...expressionsIn(args.input));
      return next(args);
    },
    { step: "initialize", name: "expressions" },
  );
  const store = createRunStore({ client: scene.table.client, tableName: TABLE_NAME, fleet: FLEET, clock: () => T0 });
  const silent: string[] = [];
  for (const [kind, command] of Object.entries(commands)) {
    sent = [];
    await store.execute(command);
    expect([kind, sent.filter(hasBareName)]).toEqual([kind, []]);
    if (sent.length === 0) silent.push(kind);
  }
  expect(silent).toEqual(["read-state", "read-record"]);
});

function hasBareName(expression: string): boolean {
  return /\w/.test(expression.replace(/[#:]\w+(\[\d+\])?/g, "").replace(ownWords, ""));
}

/** Wherever in a request they are: those of a transaction are deep in it. */
function expressionsIn(input: object): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    if (name.endsWith("Expression")) return value === undefined ? [] : [value];
    return typeof value === "object" && value !== null ? expressionsIn(value) : [];
  });
}

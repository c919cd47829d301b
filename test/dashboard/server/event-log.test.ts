import { describe, expect, test } from "vitest";
import { EventLog } from "../../../lib/dashboard/server/event-log.ts";
import { eventStream } from "../../../lib/dashboard/server/event-stream.ts";

const notice = (message: string) => ({ kind: "notice", level: "info", at: "2026-05-10T12:00:00Z", message }) as const;
const never = { heartbeatMs: 3_600_000, stallMs: 3_600_000 };
const readOne = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  new TextDecoder().decode((await reader.read()).value);

describe("the log", () => {
  test("keeps the newest 2,000 events; who has seen none of them cannot go on", () => {
    const log = new EventLog();
    const before = log.lastId;
    for (let count = 0; count < 2_000; count++) log.append(notice(`${count}`));
    expect(log.after(before)).toHaveLength(2_000);

    log.append(notice("one more"));
    expect(log.after(before)).toBeUndefined();
  });

  test("keeps each event as one line: what it says forges no other event", () => {
    const log = new EventLog();
    const before = log.lastId;
    log.append(notice("a\n\ndata: forged\r\nid: 9"));
    expect(log.after(before)?.map(({ data }) => data)).toEqual([
      String.raw`{"kind":"notice","level":"info","at":"2026-05-10T12:00:00Z","message":"a\n\ndata: forged\r\nid: 9"}`,
    ]);
  });

  test("keeps 4 million characters at most, however few events they are", () => {
    const log = new EventLog();
    const before = log.lastId;
    for (let count = 0; count < 5; count++) log.append(notice("x".repeat(1_000_000)));
    expect(log.after(before)).toBeUndefined();
    const newest = log.lastId;
    log.append(notice("small"));
    expect(log.after(newest)).toHaveLength(1);
  });

  test("has forgotten its ids where it was told to forget", () => {
    const log = new EventLog();
    log.append(notice("one"));
    const before = log.lastId;
    log.forget();
    expect(log.after(before)).toBeUndefined();
    expect(log.after(log.lastId)).toEqual([]);
  });
});

describe("a reader", () => {
  test("that is slow holds no copies: it takes up where the log is, and begins anew where that has moved on", async () => {
    const log = new EventLog();
    const reader = eventStream(log, log.lastId, never, () => {}).getReader();
    expect(await readOne(reader)).toBe("retry: 2000\n\n");
    for (let count = 0; count < 5_000; count++) log.append(notice(`${count}`));

    expect(await readOne(reader)).toBe(`id: ${log.lastId}\ndata: {"kind":"reset","lastEventId":"${log.lastId}"}\n\n`);
    await reader.cancel();
  });

  test("that hears of nothing for a while gets a heartbeat", async () => {
    const log = new EventLog();
    const reader = eventStream(log, log.lastId, { ...never, heartbeatMs: 1 }, () => {}).getReader();
    await readOne(reader);
    expect(await readOne(reader)).toBe("event: heartbeat\ndata: {}\n\n");
    await reader.cancel();
  });

  test("that takes nothing for too long is dropped, once", async () => {
    const log = new EventLog();
    let ends = 0;
    const dropped = new Promise<void>((resolve) => {
      const onEnd = () => {
        ends++;
        resolve();
      };
      const reader = eventStream(log, log.lastId, { ...never, stallMs: 1 }, onEnd).getReader();
      log.append(notice("one"));
      // Takes the two chunks that are there, and then no more.
      void readOne(reader).then(() => readOne(reader));
    });
    await dropped;
    expect(ends).toBe(1);
  });

  test("that waits when it leaves is let go", async () => {
    const log = new EventLog();
    let ends = 0;
    const reader = eventStream(log, log.lastId, never, () => ends++).getReader();
    await readOne(reader);
    const waiting = reader.read();
    await reader.cancel();
    expect(await waiting).toMatchObject({ done: true });
    expect(ends).toBe(1);
  });
});

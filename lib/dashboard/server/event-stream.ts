import type { DashboardEvent } from "../api.ts";
import type { EventLog, LoggedEvent } from "./event-log.ts";

export interface StreamTimes {
  /** A heartbeat goes out when nothing else did for so long, so that both ends notice a dead line. */
  readonly heartbeatMs: number;
  /** Who takes nothing for so long is dropped. */
  readonly stallMs: number;
}

export const STREAM_TIMES: StreamTimes = { heartbeatMs: 15_000, stallMs: 60_000 };

/** It has a name, so that only who asks hears it, and some data, without which a browser tells it to nobody. */
const HEARTBEAT = "event: heartbeat\ndata: {}\n\n";

/** What is handed over at once. */
const MAX_CHUNK_CHARACTERS = 64_000;

/**
 * The events after one as server-sent events, without end. It makes a chunk only when the reader takes one: what a slow
 * reader has not taken is kept once, in the log, and where the log has moved on it begins anew with `reset`.
 *
 * @param onEnd called once, when the reader is gone or dropped
 */
export function eventStream(
  log: EventLog,
  afterId: string,
  { heartbeatMs, stallMs }: StreamTimes,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  let lastId = afterId;
  let stalled: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(stalled);
    if (gone.signal.aborted) return;
    gone.abort();
    onEnd();
  };
  const next = async (): Promise<string> => {
    const events = log.after(lastId);
    if (!events) return chunkOf([resetEvent(log.lastId)]);
    if (events.length > 0) return chunkOf(events);
    await changedWithin(log, heartbeatMs, gone.signal);
    const news = log.after(lastId);
    return news?.length === 0 ? HEARTBEAT : chunkOf(news ?? [resetEvent(log.lastId)]);
  };
  const chunkOf = (events: readonly LoggedEvent[]): string => {
    let chunk = "";
    for (const { id, data } of events) {
      chunk += `id: ${id}\ndata: ${data}\n\n`;
      lastId = id;
      if (chunk.length > MAX_CHUNK_CHARACTERS) break;
    }
    return chunk;
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode("retry: 2000\n\n"));
      },
      async pull(controller) {
        clearTimeout(stalled);
        const chunk = await next();
        if (gone.signal.aborted) return;
        controller.enqueue(encoder.encode(chunk));
        stalled = setTimeout(() => {
          controller.error(new Error("The reader of the dashboard's events has taken nothing for too long."));
          end();
        }, stallMs);
        stalled.unref();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

function resetEvent(lastEventId: string): LoggedEvent {
  return { id: lastEventId, data: JSON.stringify({ kind: "reset", lastEventId } satisfies DashboardEvent) };
}

async function changedWithin(log: EventLog, ms: number, gone: AbortSignal): Promise<void> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ms);
  const stop = () => over.abort();
  gone.addEventListener("abort", stop);
  await log.changed(over.signal);
  clearTimeout(timer);
  gone.removeEventListener("abort", stop);
}

import type { DashboardEvent } from "../../api.ts";
import { parseVisibly } from "../format/visible-json.ts";

/** More than two of the server's heartbeats: it is frozen, or gone without a word. */
const SILENCE_MS = 40_000;

/** What a stream of the server's events needs, and whom it tells. */
export interface StreamOptions {
  /** The newest event that is known; the stream goes on after it. */
  readonly lastEventId: string;
  onOpen(): void;
  onEvent(event: DashboardEvent): void;
  /** It has ended; `lastEventId` is where the next one goes on, `sinceMs` (epoch) since when nothing can have come. */
  onEnd(lastEventId: string, sinceMs: number): void;
}

/** Opens one stream. It never opens itself again: whoever asked for it decides when. */
export function openStream(options: StreamOptions): () => void {
  let { lastEventId } = options;
  const source = new EventSource(`/api/events?${new URLSearchParams({ lastEventId })}`);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(silence);
    source.close();
  };
  const end = (sinceMs: number) => {
    close();
    options.onEnd(lastEventId, sinceMs);
  };
  const hear = () => {
    clearTimeout(silence);
    silence = setTimeout(end, SILENCE_MS, Date.now());
  };
  hear();
  source.onopen = () => {
    hear();
    options.onOpen();
  };
  source.onmessage = (message) => {
    hear();
    lastEventId = message.lastEventId || lastEventId;
    options.onEvent(parseVisibly(message.data) as DashboardEvent);
  };
  source.addEventListener("heartbeat", hear);
  source.onerror = () => end(Date.now());
  return close;
}

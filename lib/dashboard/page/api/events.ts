import type { DashboardEvent } from "../../api.ts";
import { parseVisibly } from "../format/visible-json.ts";

/** What a stream of the server's events needs, and whom it tells. */
export interface StreamOptions {
  /** The newest event that is known; the stream goes on after it. */
  readonly lastEventId: string;
  onOpen(): void;
  onEvent(event: DashboardEvent): void;
  /** It has ended; `lastEventId` is where the next one goes on. */
  onEnd(lastEventId: string): void;
}

/** Opens one stream. It never opens itself again: whoever asked for it decides when. */
export function openStream(options: StreamOptions): () => void {
  let { lastEventId } = options;
  const source = new EventSource(`/api/events?${new URLSearchParams({ lastEventId })}`);
  source.onopen = () => options.onOpen();
  source.onmessage = (message) => {
    lastEventId = message.lastEventId || lastEventId;
    options.onEvent(parseVisibly(message.data) as DashboardEvent);
  };
  source.onerror = () => {
    source.close();
    options.onEnd(lastEventId);
  };
  return () => source.close();
}

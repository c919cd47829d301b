import { signal } from "@preact/signals";

/** What the page tells in its corner: how an action ended, what the runner says. */
export interface Tiding {
  readonly id: number;
  readonly level: "done" | "info" | "warning" | "fault";
  readonly text: string;
  /** A run that it is about. */
  readonly href?: string | undefined;
}

export const tidings = signal<readonly Tiding[]>([]);

const MOST = 4;
const SHOWN_MS = 10_000;
let count = 0;

export function tell(level: Tiding["level"], text: string, href?: string): void {
  count += 1;
  const tiding = { id: count, level, text, href };
  tidings.value = [...tidings.value, tiding].slice(-MOST);
  // A fault stays until somebody has seen it.
  if (level !== "fault") setTimeout(() => dismiss(tiding.id), SHOWN_MS);
}

export function dismiss(id: number): void {
  tidings.value = tidings.value.filter((tiding) => tiding.id !== id);
}

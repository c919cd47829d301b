import { signal } from "@preact/signals";
import { shownMs, type Told, UNTOLD_MS } from "./clock-face.ts";
import { connection } from "./connection.ts";

/*
 * The time that the page tells: the server's clock, which a local runner may have set or sped up. Only what shows a time
 * reads `now`, so that a tick renders a text here and there and no table.
 */

/** The server's clock (epoch ms), each second. */
export const now = signal(Date.now());
/** How fast it runs just now: 60 is an hour a minute. */
export const pace = signal(1);
/** Nothing is known of it any more: `now` is what it last showed. */
export const stands = signal(false);

let told: Told = { toldMs: Date.now(), pace: 1, isWarped: false, nextMs: Number.POSITIVE_INFINITY };
let toldAtMs = performance.now();

/**
 * @param iso what the server's clock showed just now
 * @param newPace absent where it is as fast as the machine's, always
 */
export function setClock(iso: string, newPace?: number): void {
  told = { ...told, toldMs: Date.parse(iso), pace: newPace ?? 1, isWarped: newPace !== undefined };
  toldAtMs = performance.now();
  pace.value = told.pace;
  tick();
}

/** @param nextMs the first occurrence that is to come (epoch ms); infinite where none is */
export function boundClock(nextMs: number): void {
  told = { ...told, nextMs };
}

export function startClock(): void {
  setInterval(tick, 1_000);
  connection.subscribe(tick);
}

function tick(): void {
  const { kind } = connection.peek();
  const elapsedMs = performance.now() - toldAtMs;
  const isOutOfSight = kind === "lost" || kind === "refused";
  stands.value = isOutOfSight || (told.isWarped && elapsedMs > UNTOLD_MS);
  if (!isOutOfSight) now.value = shownMs(told, elapsedMs);
}

import { signal } from "@preact/signals";

/*
 * The time that the page tells: the server's clock, which a local runner may have set or sped up. Only what shows a time
 * reads `now`, so that a tick renders a text here and there and no table.
 */

/** The server's clock (epoch ms), each second. */
export const now = signal(Date.now());
/** How fast it runs just now: 60 is an hour a minute. */
export const pace = signal(1);

let setMs = Date.now();
let setAtMs = performance.now();

/** @param iso what the server's clock showed just now */
export function setClock(iso: string, newPace = 1): void {
  setMs = Date.parse(iso);
  setAtMs = performance.now();
  pace.value = newPace;
  tick();
}

export function startClock(): void {
  setInterval(tick, 1_000);
}

function tick(): void {
  now.value = setMs + (performance.now() - setAtMs) * pace.peek();
}

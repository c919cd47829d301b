import { join } from "node:path";
import { SKEW_TOLERANCE_MS } from "../run/index.ts";
import { type Clock, isInstant } from "./clock.ts";
import { RunnerError } from "./errors.ts";
import { readJson, requireFields, writeJson } from "./json-file.ts";
import type { Listeners } from "./listeners.ts";

/** How often it is noted while nothing happens: a handler at work renews its lease, too. */
const TICK_MS = 30_000;

interface Note {
  /** Nothing in the folder is later, but for what a runner did in its last moments that was killed. */
  readonly untilMs: number;
}

export interface ClockNoteOptions {
  readonly stateDir: string;
  readonly clock: Clock;
}

const path = (stateDir: string) => join(stateDir, "clock.json");

/**
 * Behind what is recorded, everything that ran would count as not yet due, and its locks as held for long.
 *
 * @throws RunnerError CLOCK_BEHIND, FOLDER_BROKEN
 */
export function refusePast({ stateDir, clock }: ClockNoteOptions): void {
  const untilMs = happenedUntilMs(stateDir);
  const nowMs = clock.nowMs();
  if (nowMs >= untilMs - SKEW_TOLERANCE_MS) return;
  const [now, until] = [nowMs, untilMs].map((ms) => new Date(ms).toISOString());
  const message = `It is ${now}, and ${stateDir} holds what happened until ${until}: its runs would lie in the future. Start with --now ${until} or later, with another --state-dir, or with --fresh, which forgets them.`;
  throw new RunnerError("CLOCK_BEHIND", message, { exitCode: 2 });
}

/**
 * When something last happened in a folder, by its runner's clock; of a new one 0.
 *
 * @throws RunnerError FOLDER_BROKEN
 */
export function happenedUntilMs(stateDir: string): number {
  const file = path(stateDir);
  try {
    const note = readJson(file) as Note | null | undefined;
    if (note === undefined) return 0;
    requireFields({ untilMs: isInstant(note?.untilMs) });
    return (note as Note).untilMs;
  } catch (error) {
    const message = `${file} cannot be read: ${(error as Error).message}. Delete it: a clock behind what the folder holds is then not noticed.`;
    throw new RunnerError("FOLDER_BROKEN", message, { exitCode: 1, cause: error });
  }
}

/** Notes what time it is whenever something happens, and every half a minute; a last time by the function returned. */
export function noteTime({ stateDir, clock }: ClockNoteOptions, listeners: Listeners): () => void {
  const beforeMs = happenedUntilMs(stateDir);
  let isWritten = true;
  const note = () => {
    try {
      writeJson(path(stateDir), { untilMs: Math.max(beforeMs, clock.nowMs()) } satisfies Note);
      isWritten = true;
    } catch (error) {
      const message = `${path(stateDir)} could not be written: ${(error as Error).message}. The next start may not notice a clock that is behind what happened here.`;
      if (isWritten) listeners.tell({ kind: "warning", message });
      isWritten = false;
    }
  };
  let cancelTick = () => {};
  const waitForTick = () => {
    cancelTick = clock.at(clock.nowMs() + TICK_MS, () => {
      // While it is fast nobody is at work.
      if (clock.pace() === 1) note();
      waitForTick();
    });
  };
  note();
  waitForTick();
  const endListening = listeners.subscribe(({ kind }) => {
    if (kind === "delivered" || kind === "started" || kind === "finished") note();
  });
  return () => {
    endListening();
    cancelTick();
    note();
  };
}

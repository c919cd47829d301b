/**
 * Time runs faster here than on the machine, in every process and from the same moment on, so that minutes show many
 * deadlines, takeovers and redeliveries while the protocol's constants stay as they are.
 */
export interface WarpedTime {
  /** Machine time at which the two agree. */
  readonly epochMs: number;
  readonly speed: number;
}

export function warpedMs({ epochMs, speed }: WarpedTime): number {
  return Math.floor(epochMs + (machineNow() - epochMs) * speed);
}

/** Waits, as long as `delayMs` of warped time take. */
export function sleep({ speed }: WarpedTime, delayMs: number): Promise<void> {
  return new Promise((resolve) => machineTimer(resolve, delayMs / speed));
}

// Taken before `warp.ts` puts others in their place.
const machineNow = Date.now;
const machineTimer = setTimeout;

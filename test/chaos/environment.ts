import type { WarpedTime } from "./warped-time.ts";

/** What a host is told when it is started. */
export interface HostEnvironment {
  readonly job: string;
  readonly time: WarpedTime;
  /** How far its clock is ahead. */
  readonly skewMs: number;
  readonly historyFile: string;
  /** The protocol that it breaks; none when empty. */
  readonly mutant: string;
}

export function environment(): HostEnvironment {
  return JSON.parse(String(process.env["CHAOS_HOST"])) as HostEnvironment;
}

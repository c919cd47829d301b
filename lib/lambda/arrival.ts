import type { StartCause, Trigger } from "../run/index.ts";

/** What an event says about the run it asks for. Two deliveries of one occurrence agree on everything but `deliveryId`. */
export interface Arrival {
  readonly runId: string;
  /** The schedule's name; absent for a manual run. */
  readonly schedule?: string;
  /** The occurrence's time; for a manual run the time that it names, or else when it was asked for. Absent where the payload has none. */
  readonly scheduledTimeMs?: number;
  /** Of a manual run: the time that the request names. */
  readonly workTimeMs?: number;
  /** Of a manual run that works for an occurrence: the schedule's name. */
  readonly workSchedule?: string;
  /** Absent for a fresh delivery. */
  readonly cause?: StartCause;
  readonly trigger: Trigger;
  /** Equal for the platform's repetitions of one delivery. */
  readonly deliveryId: string;
  /** Whether the platform is known to deliver it again when it fails. */
  readonly redelivered: boolean;
  readonly input: unknown;
}

/** Who receives the event. */
export interface Receiver {
  readonly job: string;
  readonly fleet: string;
  readonly requestId: string;
  readonly nowMs: number;
}

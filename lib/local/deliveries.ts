import { randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";
import { saveDeadLetter, type UndeliveredOccurrence } from "./dead-letters.ts";
import type { ScheduleDefinition } from "./definitions.ts";
import type { Tell } from "./events.ts";
import { functionArn } from "./place.ts";
import { schedulerInput } from "./scheduler-input.ts";

/** Scheduler waits longer from try to try, in steps that AWS does not name. */
const FIRST_RETRY_DELAY_MS = 60_000;
const LONGEST_RETRY_DELAY_MS = 480_000;
/** Occurrences that wait for another try. A disk that is full for a day must not fill the memory, too. */
const MAX_WAITING = 10_000;

export interface DeliveriesOptions {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly tell: Tell;
  /** Puts an event in its function's queue. @throws where this machine does not take it */
  readonly accept: (functionName: string, payload: string, source: string) => unknown;
}

interface Occurrence {
  readonly schedule: ScheduleDefinition;
  readonly scheduledTimeMs: number;
  /** Counts the tries, from 1. */
  readonly attempt: number;
}

type Exhausted = UndeliveredOccurrence["attributes"]["EXHAUSTED_RETRY_CONDITION"];

/**
 * Brings occurrences to their functions' queues. What a queue does not take is tried again within the schedule's retry
 * policy, then becomes a dead letter where the schedule has a queue for them, as Scheduler does; each step is told.
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_RetryPolicy.html
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #waiting = new Map<Occurrence, () => void>();

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  deliver(schedule: ScheduleDefinition, scheduledTimeMs: number): void {
    this.#attempt({ schedule, scheduledTimeMs, attempt: 1 });
  }

  /** What still waits is lost, and that is said. */
  stop(): void {
    for (const [one, cancel] of this.#waiting) {
      cancel();
      this.#warn(one, "was never queued and is lost: the runner ends");
    }
    this.#waiting.clear();
  }

  #attempt(one: Occurrence): void {
    const { schedule, scheduledTimeMs, attempt } = one;
    try {
      this.#options.accept(schedule.functionName, schedulerInput(schedule, scheduledTimeMs, attempt), "schedule");
    } catch (error) {
      this.#refused(one, error as Error);
    }
  }

  #refused(one: Occurrence, error: Error): void {
    const { schedule, scheduledTimeMs, attempt } = one;
    const delayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1), LONGEST_RETRY_DELAY_MS);
    const dueAtMs = this.#options.clock.nowMs() + delayMs;
    if (attempt > schedule.delivery.maxRetries) this.#giveUp(one, "MaximumRetryAttempts", error);
    else if (dueAtMs - scheduledTimeMs > schedule.delivery.maxAgeMs)
      this.#giveUp(one, "MaximumEventAgeInSeconds", error);
    else if (this.#waiting.size >= MAX_WAITING)
      this.#warn(one, `could not be queued and is lost, since ${MAX_WAITING} wait already: ${error.message}`);
    else {
      this.#warn(one, `could not be queued and is tried again at ${new Date(dueAtMs).toISOString()}: ${error.message}`);
      this.#at(dueAtMs, one, () => this.#attempt({ ...one, attempt: attempt + 1 }));
    }
  }

  #giveUp(one: Occurrence, condition: Exhausted, error: Error): void {
    const { stateDir, clock, tell } = this.#options;
    const { functionName, delivery } = one.schedule;
    const requestId = randomUUID();
    const { destination } = delivery;
    try {
      if (destination) saveDeadLetter(stateDir, requestId, letterOf(one, destination, clock.nowMs(), condition, error));
    } catch (refused) {
      this.#warn(one, `could not be queued, nor kept as a dead letter yet: ${(refused as Error).message}`);
      this.#at(clock.nowMs() + LONGEST_RETRY_DELAY_MS, one, () => this.#giveUp(one, condition, error));
      return;
    }
    const reason = { errorType: condition, errorMessage: error.message };
    tell({ kind: "dead-lettered", functionName, requestId, error: reason, ...(destination && { destination }) });
  }

  #at(timeMs: number, one: Occurrence, step: () => void): void {
    const cancel = this.#options.clock.at(timeMs, () => {
      this.#waiting.delete(one);
      step();
    });
    this.#waiting.set(one, cancel);
  }

  #warn({ schedule, scheduledTimeMs }: Occurrence, what: string): void {
    const message = `${schedule.job}: the occurrence of ${new Date(scheduledTimeMs).toISOString()} ${what}`;
    this.#options.tell({ kind: "warning", message });
  }
}

function letterOf(
  { schedule, scheduledTimeMs, attempt }: Occurrence,
  destination: string,
  nowMs: number,
  condition: Exhausted,
  error: Error,
): UndeliveredOccurrence {
  return {
    timestamp: new Date(nowMs).toISOString(),
    destination,
    body: JSON.parse(schedulerInput(schedule, scheduledTimeMs, attempt)),
    attributes: {
      ERROR_CODE: "ServiceException",
      ERROR_MESSAGE: error.message,
      EXHAUSTED_RETRY_CONDITION: condition,
      RETRY_ATTEMPTS: String(attempt - 1),
      SCHEDULED_TIME: new Date(scheduledTimeMs).toISOString(),
      SCHEDULE_ARN: schedule.arn,
      TARGET_ARN: functionArn(schedule.functionName),
    },
  };
}

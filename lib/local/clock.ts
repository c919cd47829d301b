/** Where the runner takes its time from; tests bring their own. */
export interface Clock {
  /** To be called once. Until then it stands still, if it does not show the machine's time: a start takes a while. */
  start(): void;
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Calls back once, at or after `timeMs`. The function returned takes the appointment back. */
  at(timeMs: number, callback: () => void): () => void;
  /** How many times as fast as the machine's it goes while nobody is at work. */
  readonly speed: number;
  /** How many times as fast as the machine's it goes just now. */
  pace(): number;
  /** Calls back whenever its pace has changed, until the function returned is called. */
  subscribe(listen: () => void): () => void;
  /** Somebody is at work: until the function returned is called, the clock goes as fast as the machine's. */
  work(): () => void;
}

/** What a clock is made of; tests bring their own. */
export interface Machine {
  nowMs(): number;
  startTimer(delayMs: number, callback: () => void): () => void;
}

export interface RunnerClockOptions {
  /** What it shows until it is started. @default the machine's time */
  readonly startMs?: number;
  /** @default 1 */
  readonly speed?: number;
  readonly machine?: Machine;
}

/**
 * Longest single sleep. A timer counts from a clock that stands still while a laptop sleeps, and Node ends one of more
 * than 24.8 days at once; so the clock is looked at again this often.
 */
const LONGEST_SLEEP_MS = 30_000;

const thisMachine: Machine = {
  nowMs: () => Date.now(),
  startTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * The machine's clock, or one that starts elsewhere and, while nobody is at work, goes faster. A handler is real code: it
 * takes the time that it takes, so while one runs the clock goes as the machine's, and a timeout is what it says. In
 * between the clock never passes an appointment, however late the machine calls: each is kept at its very time.
 */
export class RunnerClock implements Clock {
  readonly speed: number;
  readonly #machine: Machine;
  /** Both show these at the same moment. */
  #base: { readonly clockMs: number; readonly machineMs: number } | undefined;
  readonly #startMs: number | undefined;
  readonly #appointments = new Set<{ readonly timeMs: number; readonly callback: () => void }>();
  readonly #listeners = new Set<() => void>();
  #atWork = 0;
  /** While appointments are kept: all of one moment are, however long each of them takes. */
  #keptMs: number | undefined;
  #cancelTimer = () => {};

  constructor({ startMs, speed = 1, machine = thisMachine }: RunnerClockOptions = {}) {
    this.speed = speed;
    this.#machine = machine;
    this.#startMs = startMs;
  }

  start(): void {
    const machineMs = this.#machine.nowMs();
    this.#base = { clockMs: this.#startMs ?? machineMs, machineMs };
    this.#setTimer();
  }

  nowMs(): number {
    const machineMs = this.#machine.nowMs();
    if (this.#keptMs !== undefined) return this.#keptMs;
    if (!this.#base) return this.#startMs ?? machineMs;
    const nowMs = Math.floor(this.#base.clockMs + (machineMs - this.#base.machineMs) * this.pace());
    return this.pace() === 1 ? nowMs : Math.min(nowMs, Math.max(this.#earliestMs(), this.#base.clockMs));
  }

  at(timeMs: number, callback: () => void): () => void {
    const appointment = { timeMs, callback };
    this.#appointments.add(appointment);
    this.#setTimer();
    return () => {
      this.#appointments.delete(appointment);
      // A timer that nobody waits for would keep the process for half a minute.
      if (this.#appointments.size === 0) this.#cancelTimer();
    };
  }

  work(): () => void {
    this.#changeWork(+1);
    return () => this.#changeWork(-1);
  }

  pace(): number {
    return this.#atWork > 0 ? 1 : this.speed;
  }

  subscribe(listen: () => void): () => void {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  #changeWork(change: 1 | -1): void {
    const [clockMs, pace] = [this.nowMs(), this.pace()];
    this.#atWork += change;
    if (this.speed === 1 || !this.#base) return;
    this.#base = { clockMs, machineMs: this.#machine.nowMs() };
    this.#setTimer();
    if (this.pace() !== pace) for (const listen of this.#listeners) listen();
  }

  #earliestMs(): number {
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const { timeMs } of this.#appointments) earliestMs = Math.min(earliestMs, timeMs);
    return earliestMs;
  }

  /** One timer for the earliest appointment. */
  #setTimer(): void {
    this.#cancelTimer();
    if (!this.#base || this.#appointments.size === 0) return;
    const leftMs = Math.max(0, this.#earliestMs() - this.nowMs()) / this.pace();
    this.#cancelTimer = this.#machine.startTimer(Math.min(Math.ceil(leftMs), LONGEST_SLEEP_MS), () => this.#keepDue());
  }

  #keepDue(): void {
    const clockMs = this.nowMs();
    const due = [...this.#appointments].filter(({ timeMs }) => timeMs <= clockMs);
    if (this.speed !== 1) this.#keptMs = clockMs;
    for (const appointment of due.sort((a, b) => a.timeMs - b.timeMs)) {
      // One that is kept may take another back.
      if (this.#appointments.delete(appointment)) appointment.callback();
    }
    this.#keptMs = undefined;
    if (this.speed !== 1) this.#base = { clockMs, machineMs: this.#machine.nowMs() };
    this.#setTimer();
  }
}

/** Whether a value that was read from a file is an instant in epoch milliseconds. */
export function isInstant(value: unknown): boolean {
  return typeof value === "number" && !Number.isNaN(new Date(value).getTime());
}

/** Whether it is one in words, in UTC: `2026-05-01T10:00:00.000Z`, also without the milliseconds. */
export function isInstantText(value: unknown): boolean {
  const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  return typeof value === "string" && pattern.test(value) && isInstant(Date.parse(value));
}

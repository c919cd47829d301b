import type { Clock } from "../../lib/local/clock.ts";

/** A clock that stands still until it is moved; appointments are kept in their order, at their times. */
export class ManualClock implements Clock {
  readonly speed = 1;
  #nowMs: number;
  #appointments: { timeMs: number; callback: () => void }[] = [];

  constructor(iso: string) {
    this.#nowMs = Date.parse(iso);
  }

  start(): void {}

  pace(): number {
    return 1;
  }

  subscribe(): () => void {
    return () => {};
  }

  work(): () => void {
    return () => {};
  }

  nowMs(): number {
    return this.#nowMs;
  }

  at(timeMs: number, callback: () => void): () => void {
    const appointment = { timeMs, callback };
    this.#appointments.push(appointment);
    return () => {
      this.#appointments = this.#appointments.filter((one) => one !== appointment);
    };
  }

  /** Moves on to this instant and lets everything happen that is due on the way, with what follows without any I/O. */
  async moveTo(iso: string): Promise<void> {
    const untilMs = Date.parse(iso);
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#appointments = this.#appointments.filter((one) => one !== next);
      this.#nowMs = Math.max(this.#nowMs, next.timeMs);
      next.callback();
      for (let step = 0; step < 10; step += 1) await null;
    }
    this.#nowMs = untilMs;
  }

  /** Moves on without letting anything happen, as a machine that sleeps does; then all that is due happens at once. */
  async sleepUntil(iso: string): Promise<void> {
    this.#nowMs = Date.parse(iso);
    await this.moveTo(iso);
  }

  #next(untilMs: number) {
    return this.#appointments.filter(({ timeMs }) => timeMs <= untilMs).sort((a, b) => a.timeMs - b.timeMs)[0];
  }
}

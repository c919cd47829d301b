import { expect, test } from "vitest";
import { type Machine, RunnerClock } from "../../lib/local/clock.ts";
import { watchForSleep } from "../../lib/local/sleep-watch.ts";

const START_MS = Date.UTC(2026, 4, 1, 12);
const NIGHT_MS = Date.UTC(2026, 9, 25);
const DAY_MS = 86_400_000;

test("it shows the machine's time, and keeps an appointment that lies beyond what a timer of Node can wait", () => {
  const machine = new StubMachine();
  const clock = started(new RunnerClock({ machine }));
  const kept: number[] = [];
  clock.at(START_MS + 40 * DAY_MS, () => kept.push(clock.nowMs()));
  machine.pass(40 * DAY_MS - 1);
  expect(kept).toEqual([]);
  machine.pass(1);
  expect(kept).toEqual([START_MS + 40 * DAY_MS]);
  expect(Math.max(...machine.delays)).toBe(30_000);
});

test("an appointment that is taken back is not kept, also when an earlier one takes it back in the same moment", () => {
  const machine = new StubMachine();
  const clock = started(new RunnerClock({ machine }));
  const kept: string[] = [];
  const takeBack = clock.at(START_MS + 2_000, () => kept.push("second"));
  clock.at(START_MS + 1_000, () => {
    kept.push("first");
    takeBack();
  });
  machine.sleep(5_000);
  machine.pass(0);
  expect(kept).toEqual(["first"]);
});

test("it has no timer left when its last appointment is taken back: nothing keeps the process", () => {
  const machine = new StubMachine();
  const clock = started(new RunnerClock({ machine }));
  const takeBack = [1_000, 2_000].map((ms) => clock.at(START_MS + ms, () => {}));
  takeBack[0]?.();
  expect(machine.timersLeft).toBe(1);
  takeBack[1]?.();
  expect(machine.timersLeft).toBe(0);
});

test("--now: it stands still until it is started, then goes on from there", () => {
  const machine = new StubMachine();
  const clock = new RunnerClock({ startMs: NIGHT_MS, machine });
  machine.pass(9_000);
  expect(clock.nowMs()).toBe(NIGHT_MS);
  clock.start();
  machine.pass(1_500);
  expect(clock.nowMs()).toBe(NIGHT_MS + 1_500);
});

test("--speed: it goes so many times as fast, and while somebody is at work as the machine does", () => {
  const machine = new StubMachine();
  const clock = started(new RunnerClock({ startMs: NIGHT_MS, speed: 60, machine }));
  machine.pass(1_000);
  expect(clock.nowMs()).toBe(NIGHT_MS + 60_000);
  const [endOne, endOther] = [clock.work(), clock.work()];
  machine.pass(1_000);
  expect(clock.nowMs()).toBe(NIGHT_MS + 61_000);
  endOne();
  machine.pass(1_000);
  expect(clock.nowMs()).toBe(NIGHT_MS + 62_000);
  endOther();
  machine.pass(1_000);
  expect(clock.nowMs()).toBe(NIGHT_MS + 122_000);
});

test("--speed: whoever listens hears when somebody begins to work, and when nobody does any more, and how fast it goes then", () => {
  const machine = new StubMachine();
  const clock = started(new RunnerClock({ startMs: NIGHT_MS, speed: 60, machine }));
  const heard: number[][] = [];
  const end = clock.subscribe(() => heard.push([clock.nowMs() - NIGHT_MS, clock.pace()]));
  machine.pass(1_000);
  const endOne = clock.work();
  machine.pass(500);
  // A second one changes nothing.
  clock.work()();
  endOne();
  end();
  clock.work();
  expect(heard).toEqual([
    [60_000, 1],
    [60_500, 60],
  ]);
});

test("--speed: an appointment is kept at its very time, however late the machine calls", () => {
  const machine = new StubMachine();
  const clock = started(new RunnerClock({ startMs: NIGHT_MS, speed: 3600, machine }));
  const kept: number[] = [];
  for (const minutes of [1, 2]) clock.at(NIGHT_MS + minutes * 60_000, () => kept.push(clock.nowMs() - NIGHT_MS));
  // Both are due after 17 and 34 ms; a busy machine comes after a second.
  machine.sleep(1_000);
  expect(clock.nowMs()).toBe(NIGHT_MS + 60_000);
  machine.pass(100);
  expect(kept).toEqual([60_000, 120_000]);
});

test("--speed: all appointments of a moment are kept at that very moment, however long the first of them takes", () => {
  const machine = new StubMachine();
  const clock = started(new RunnerClock({ startMs: NIGHT_MS, speed: 3_600, machine }));
  const kept: number[] = [];
  for (let count = 0; count < 2; count++) {
    clock.at(NIGHT_MS + 60_000, () => {
      machine.sleep(20);
      kept.push(clock.nowMs());
    });
  }
  machine.pass(1_000);
  expect(kept).toEqual([NIGHT_MS + 60_000, NIGHT_MS + 60_000]);
});

test("a machine that slept is noticed by the gap, and one that was a little late is not", () => {
  const machine = new StubMachine();
  const clock = started(new RunnerClock({ machine }));
  const slept: number[][] = [];
  watchForSleep(clock, (fromMs, untilMs) => slept.push([fromMs - START_MS, untilMs - START_MS]));
  machine.pass(60_000);
  machine.sleep(39_000);
  machine.pass(60_000);
  expect(slept).toEqual([]);
  machine.sleep(8 * 3_600_000);
  machine.pass(30_000);
  expect(slept).toEqual([[159_000, 8 * 3_600_000 + 159_000]]);
});

function started(clock: RunnerClock): RunnerClock {
  clock.start();
  return clock;
}

/** A machine's clock and timers, moved by hand. */
class StubMachine implements Machine {
  readonly delays: number[] = [];
  #nowMs = START_MS;
  #timers: { dueMs: number; callback: () => void }[] = [];

  get timersLeft(): number {
    return this.#timers.length;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  startTimer(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, callback };
    this.delays.push(delayMs);
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
    }
    this.#nowMs = untilMs;
  }

  /** Time goes by and no timer is called. */
  sleep(ms: number): void {
    this.#nowMs += ms;
  }

  #next(untilMs: number) {
    return this.#timers.filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}

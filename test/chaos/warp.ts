import { environment } from "./environment.ts";
import { warpedMs } from "./warped-time.ts";

// Imported first, it gives this process the warped time for everything: what it imports afterwards, the SDK too, sees no
// other clock and no other timers. The process's own clock is off by its skew.

const { time, skewMs } = environment();
const now = () => warpedMs(time) + skewMs;

const MachineDate = Date;
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, given: ConstructorParameters<DateConstructor>, made) =>
    Reflect.construct(target, given.length === (0 as number) ? [now()] : given, made),
});
Date.now = now;

globalThis.setTimeout = faster(setTimeout);
globalThis.setInterval = faster(setInterval);

function faster<Timer extends typeof setTimeout | typeof setInterval>(set: Timer): Timer {
  const start = (callback: () => void, delayMs = 0, ...given: []) => set(callback, delayMs / time.speed, ...given);
  return Object.assign(start, set) as Timer;
}

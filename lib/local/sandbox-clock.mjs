// The clock of a sandbox: the machine's, moved. What a handler writes, its lease, its deadline and its lateness agree
// with the runner's clock by it. Timers are the machine's: the two go equally fast while a handler is at work.

const MachineDate = Date;
let aheadMs = 0;

const now = () => MachineDate.now() + aheadMs;

const MovedDate = new Proxy(MachineDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  apply: () => new MachineDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

/** Where it is not moved Node's own Date stays. */
export function moveClock(byMs) {
  aheadMs = byMs;
  if (byMs === 0 || globalThis.Date !== MachineDate) return;
  globalThis.Date = MovedDate;
  MachineDate.prototype.constructor = MovedDate;
}

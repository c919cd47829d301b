import type { Item } from "../../lib/store/request.ts";

const FINAL = ["SUCCEEDED", "CANCELLED", "SKIPPED"];

export class Violation extends Error {}

/** What has to hold at every moment of a world, and at its end. */
export class Invariants {
  readonly #started = new Set<string>();
  #newestFence = 0;

  /** A handler starts. `atWork`: the run whose handler is still at work. */
  checkStart(runId: string, record: Item | undefined, atWork: string | undefined): void {
    const status = String(record?.["status"]);
    refuse(atWork !== undefined, `I1: ${runId} starts beside ${atWork}`);
    refuse(FINAL.includes(status), `I2, I8: ${runId} starts though it is ${status}`);
    this.#started.add(runId);
  }

  checkChange(before: Item | undefined, after: Item): void {
    if (after["sk"] === "state") this.#checkState(before, after);
    else this.#checkRecord(before, after);
  }

  checkEnd(runId: string, record: Item | undefined, isDeadLettered: boolean): void {
    const status = String(record?.["status"]);
    refuse(!FINAL.includes(status) && !isDeadLettered, `I6: ${runId} vanished, it is ${status}`);
    refuse(status === "SKIPPED" && this.#started.has(runId), `I8: ${runId} started and is SKIPPED`);
  }

  #checkState(before: Item | undefined, after: Item): void {
    const fence = Number(after["fence"] ?? 0);
    const lease = after["lease"] as Item | undefined;
    const leaseBefore = before?.["lease"] as Item | undefined;
    const isNewLease = lease !== undefined && lease["owner"] !== leaseBefore?.["owner"];
    const runId = String(lease?.["runId"]);
    refuse(isNewLease && before?.["paused"] !== undefined && !runId.includes("manual#"), `${runId} ignores the pause`);
    refuse(isNewLease && fence <= this.#newestFence, `I3: fence ${fence} after ${this.#newestFence}`);
    refuse(fence < this.#newestFence, `I3: the fence went back to ${fence}`);
    refuse(String(after["highWater"] ?? "") < String(before?.["highWater"] ?? ""), "the mark went back");
    this.#newestFence = fence;
  }

  #checkRecord(before: Item | undefined, after: Item): void {
    const runId = String(after["runId"]);
    const status = String(after["status"]);
    refuse(status === "SKIPPED" && this.#started.has(runId), `I8: ${runId} is skipped though it started`);
    if (!before || JSON.stringify(before) === JSON.stringify(after)) return;
    const was = String(before["status"]);
    const fence = Number(after["fence"]);
    const isSuccessor = fence > Number(before["fence"]) || (fence === before["fence"] && was === "RUNNING");
    refuse(FINAL.includes(was), `I5: ${runId} was ${was} and became ${status}`);
    refuse(!isSuccessor, `I4, I5: ${runId} ${was} replaced by ${status} at fence ${fence}`);
  }
}

function refuse(isBroken: boolean, what: string): void {
  if (isBroken) throw new Violation(what);
}

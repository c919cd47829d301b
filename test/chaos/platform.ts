import type { Random } from "../simulation/random.ts";
import type { Answer, Note } from "./history.ts";
import type { Host } from "./hosts.ts";
import { sleep, type WarpedTime, warpedMs } from "./warped-time.ts";

/** An event on its way to a job's function, as in Lambda's queue for asynchronous invocations. */
export interface Delivery {
  readonly job: string;
  readonly runId: string;
  readonly deliveryId: string;
  readonly commits: boolean;
  readonly event: unknown;
  readonly timeoutMs: number;
}

export interface PlatformOptions {
  readonly time: WarpedTime;
  readonly random: Random;
  readonly note: Note;
  startHost(job: string): Host;
}

/** Lambda's are one minute and two. */
const RETRY_DELAYS_MS = [12_000, 25_000];
const KILLED_AT_RANDOM = 0.1;
/** With more invocations at once a small machine does little but start processes, whose requests then time out and come again. */
const BUSY = 16;

/** Invokes the functions as Lambda does: asynchronously, three times at most, each for as long as its timeout says. */
export class Platform {
  readonly #options: PlatformOptions;
  readonly #idle = new Map<string, Host[]>();
  readonly #hosts = new Map<number, Host>();
  readonly #underWay = new Set<Promise<void>>();
  #invocations = 0;
  #atWork = 0;
  #isCalm = false;

  constructor(options: PlatformOptions) {
    this.#options = options;
  }

  /** Starts hosts before they are needed. */
  async warmUp(job: string, count: number): Promise<void> {
    const hosts = Array.from({ length: count }, () => this.#start(job));
    await Promise.all(hosts.map(({ ready }) => ready));
    for (const host of hosts) this.#giveBack(job, host);
  }

  /** Waits until there is room for something new. */
  async room(): Promise<void> {
    while (this.#atWork >= BUSY) await sleep(this.#options.time, 1_000);
  }

  deliver(delivery: Delivery, afterMs: number): void {
    const journey = this.#carry(delivery, afterMs).finally(() => this.#underWay.delete(journey));
    this.#underWay.add(journey);
  }

  kill(hostId: number): void {
    this.#options.note({ kind: "killed", host: hostId, why: "chaos" });
    this.#hosts.get(hostId)?.kill();
  }

  /** Kills nobody any more but at the deadline, and waits until every delivery is acknowledged or a dead letter. */
  async drain(): Promise<void> {
    this.#isCalm = true;
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  close(): void {
    for (const host of this.#hosts.values()) host.kill();
  }

  async #carry(delivery: Delivery, afterMs: number): Promise<void> {
    const { time, note } = this.#options;
    const { job, runId, deliveryId, commits } = delivery;
    await sleep(time, afterMs);
    note({ kind: "delivered", job, runId, deliveryId, commits });
    for (const delayMs of [...RETRY_DELAYS_MS, undefined]) {
      this.#atWork++;
      const answer = await this.#invoke(delivery).finally(() => this.#atWork--);
      if (answer.outcome !== "failed" && answer.outcome !== "died") return;
      if (delayMs !== undefined) await sleep(time, delayMs);
    }
    note({ kind: "dead-lettered", job, runId, deliveryId });
  }

  async #invoke({ job, runId, deliveryId, event, timeoutMs }: Delivery): Promise<Answer> {
    const { time, random, note } = this.#options;
    const host = this.#idle.get(job)?.pop() ?? this.#start(job);
    await host.ready;
    const id = `${job}-${++this.#invocations}`;
    note({ kind: "invoked", job, runId, deliveryId, invocation: id, host: host.id });
    const answering = host.invoke({ id, event, requestId: deliveryId, deadlineMs: warpedMs(time) + timeoutMs });
    const killers = [this.#killAfter(host, timeoutMs, "deadline")];
    if (!this.#isCalm && random.chance(KILLED_AT_RANDOM)) {
      killers.push(this.#killAfter(host, random.upTo(timeoutMs), "chaos"));
    }
    const answer = await answering;
    for (const killer of killers) clearTimeout(killer);
    note({ kind: "answered", invocation: id, answer });
    this.#giveBack(job, host);
    return answer;
  }

  #killAfter(host: Host, delayMs: number, why: "deadline" | "chaos"): NodeJS.Timeout {
    return setTimeout(() => {
      this.#options.note({ kind: "killed", host: host.id, why });
      host.kill();
    }, delayMs / this.#options.time.speed);
  }

  #start(job: string): Host {
    const host = this.#options.startHost(job);
    this.#hosts.set(host.id, host);
    return host;
  }

  /** A host that has died is replaced before it is missed. */
  #giveBack(job: string, host: Host): void {
    const alive = host.isAlive ? host : this.#start(job);
    if (alive !== host) this.#hosts.delete(host.id);
    this.#idle.set(job, [...(this.#idle.get(job) ?? []), alive]);
  }
}

import type { FaultKind } from "./events.ts";
import { type Random, randomFrom } from "./random.ts";

/** The faults that a runner makes on purpose. Shares are from 0 to 1. */
export interface FaultOptions {
  /** How often each event is delivered. @default 1 */
  readonly deliveries?: number;
  /** Of the invocations: those that are begun and killed. */
  readonly crash?: number;
  /** Of the tables' answers to handlers: those that are lost after the request was carried out. */
  readonly loseReplies?: number;
  /** Of the handlers' requests to the tables: those that are refused as too many. */
  readonly throttle?: number;
  /** How far a sandbox's clock may be off. The protocol allows for 5 seconds between two clocks. */
  readonly skewMs?: number;
  /** The same seed draws the same faults, as far as things happen in the same order. @default 1 */
  readonly seed?: number;
}

export type TableFault = Extract<FaultKind, "lost reply" | "throttled">;

/** A killed invocation has worked for at most this long, or for as long as the one before took. */
const FIRST_CRASH_MS = 500;

/** Draws the faults. Each kind has numbers of its own, so that one does not move the others. */
export class Faults {
  /** What is switched on, in words. */
  readonly words: readonly string[];
  readonly deliveries: number;
  readonly #options: FaultOptions;
  readonly #crashes: Random;
  readonly #requests: Random;
  readonly #clocks: Random;
  readonly #tookMs = new Map<string, number>();

  constructor(options: FaultOptions = {}) {
    const { deliveries = 1, seed = 1 } = options;
    this.#options = options;
    this.deliveries = deliveries;
    this.words = inWords(options, seed);
    [this.#crashes, this.#requests, this.#clocks] = [randomFrom(seed), randomFrom(seed + 1), randomFrom(seed + 2)];
  }

  /** How long after its beginning an invocation is killed; undefined for one that is spared. */
  crashAfterMs(functionName: string): number | undefined {
    const { crash = 0 } = this.#options;
    if (crash === 0 || !this.#crashes.chance(crash)) return undefined;
    return this.#crashes.upTo(this.#tookMs.get(functionName) ?? FIRST_CRASH_MS);
  }

  /** So that a crash comes while there is somebody to kill. */
  noteDuration(functionName: string, durationMs: number): void {
    this.#tookMs.set(functionName, durationMs);
  }

  /** What befalls a handler's request to a table. */
  ofRequest(): TableFault | undefined {
    const { throttle = 0, loseReplies = 0 } = this.#options;
    if (throttle > 0 && this.#requests.chance(throttle)) return "throttled";
    return loseReplies > 0 && this.#requests.chance(loseReplies) ? "lost reply" : undefined;
  }

  /** How far a new sandbox's clock is off. */
  clockSkewMs(): number {
    const { skewMs = 0 } = this.#options;
    return skewMs === 0 ? 0 : this.#clocks.upTo(2 * skewMs) - skewMs;
  }
}

function inWords({ deliveries = 1, crash, loseReplies, throttle, skewMs }: FaultOptions, seed: number): string[] {
  const percent = (share: number) => `${Number((share * 100).toFixed(3))} %`;
  const words = [
    deliveries > 1 && `every event is delivered ${deliveries} times`,
    crash && `${percent(crash)} of the invocations are killed`,
    loseReplies && `${percent(loseReplies)} of the tables' replies are lost`,
    throttle && `${percent(throttle)} of the requests to the tables are throttled`,
    skewMs && `each sandbox's clock is off by up to ${skewMs / 1000} s`,
  ].filter((text) => typeof text === "string");
  return words.length > 0 ? [...words, `drawn with the seed ${seed}`] : [];
}

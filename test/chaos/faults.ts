import type { Random } from "../simulation/random.ts";

/** What befalls one request, and the host that sent it. */
export type Fault =
  /** It never reaches the table. */
  | "dropped"
  /** It is done, and its reply is lost. */
  | "reply lost"
  /** It reaches the table later, mostly after it was given up and sent again. */
  | "late"
  | "throttled"
  /** 500, and it is not done. */
  | "failed"
  /** 500, and it is done. */
  | "done and failed"
  /** The host is killed, before or after the request is done, or long before it lands. */
  | "killed before"
  | "killed after"
  | "killed, late";

/** What a host meets for a while: one fault for all its requests, or any of them now and then. */
export type Weather = "fair" | "dropped" | "throttled" | "failed";

const NOW_AND_THEN: readonly Fault[] = [
  "dropped",
  "reply lost",
  "reply lost",
  "late",
  "late",
  "throttled",
  "failed",
  "done and failed",
  "killed before",
  "killed after",
  "killed after",
  "killed, late",
  "killed, late",
];

export function drawFault(random: Random, weather: Weather): Fault | undefined {
  if (weather !== "fair") return weather;
  return random.chance(0.08) ? random.pick(NOW_AND_THEN) : undefined;
}

export function drawWeather(random: Random): Weather {
  return random.chance(0.85) ? "fair" : random.pick<Weather>(["dropped", "throttled", "failed"]);
}

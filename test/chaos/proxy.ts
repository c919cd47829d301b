import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Random } from "../simulation/random.ts";
import { drawFault, drawWeather, type Fault, type Weather } from "./faults.ts";
import type { Note } from "./history.ts";
import { landed } from "./landed.ts";
import { sleep, type WarpedTime, warpedMs } from "./warped-time.ts";

export interface ProxyOptions {
  /** The table's endpoint. */
  readonly target: string;
  readonly time: WarpedTime;
  /** How far the table's clock is ahead. */
  readonly tableSkewMs: number;
  readonly random: Random;
  readonly note: Note;
  /** Takes an event that a host sends to its own function. */
  accept(event: unknown): void;
  /** Ends a host's process at once. */
  kill(host: number): void;
}

/** Instead of a host's number: it meets no faults. */
export const OPERATOR = 0;
const MAX_LATE_MS = 30_000;
const WEATHER_LASTS_MS = 15_000;

/** What the hosts take for DynamoDB, and for Lambda's Invoke API: each has its own path, so that it can be told from the others. */
export class FaultyProxy {
  readonly #options: ProxyOptions;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #weather = new Map<number, { weather: Weather; untilMs: number }>();
  #isCalm = true;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  endpointFor(host: number): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${host}`;
  }

  /** Until here, and from the end on, it does what a proxy should. */
  begin(): void {
    this.#isCalm = false;
  }

  /** What is late still lands. */
  end(): void {
    this.#isCalm = true;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const host = Number(request.url?.split("/")[1]);
    const isInvoke = request.url?.endsWith("/invocations") ?? false;
    const operation = isInvoke ? "Invoke" : (String(request.headers["x-amz-target"]).split(".")[1] ?? "");
    const forward = () => (isInvoke ? this.#invoke(body) : this.#forward(request, body, operation));
    const isSpared = this.#isCalm || host === OPERATOR;
    const fault = isSpared ? undefined : drawFault(this.#options.random, this.#weatherOf(host));
    if (fault) this.#options.note({ kind: "fault", host, fault, operation });
    await this.#suffer(fault, host, response, forward).catch(() => {
      response.destroy();
    });
  }

  async #suffer(fault: Fault | undefined, host: number, response: ServerResponse, forward: () => Promise<Forwarded>) {
    const { time, random, kill } = this.#options;
    switch (fault) {
      case undefined:
        return this.#reply(response, await forward());
      case "dropped":
        return response.destroy();
      case "reply lost":
        await forward();
        return response.destroy();
      case "late":
        await sleep(time, random.upTo(MAX_LATE_MS));
        return this.#reply(response, await forward());
      case "throttled":
        return this.#reply(response, refusal(400, random.pick(THROTTLED)));
      case "failed":
        return this.#reply(response, refusal(500, INTERNAL));
      case "done and failed":
        await forward();
        return this.#reply(response, refusal(500, INTERNAL));
      case "killed before":
        return kill(host);
      case "killed after":
        await forward();
        return kill(host);
      case "killed, late":
        kill(host);
        await sleep(time, random.upTo(MAX_LATE_MS));
        return void (await forward());
    }
  }

  async #forward({ headers }: IncomingMessage, body: string, operation: string): Promise<Forwarded> {
    const { target, note } = this.#options;
    const answer = await fetch(target, {
      method: "POST",
      headers: { "x-amz-target": String(headers["x-amz-target"]), "content-type": "application/x-amz-json-1.0" },
      body,
    });
    const answered = { status: answer.status, body: await answer.text() };
    if (answer.ok) for (const entry of landed(operation, JSON.parse(body), JSON.parse(answered.body))) note(entry);
    return answered;
  }

  async #invoke(body: string): Promise<Forwarded> {
    this.#options.accept(JSON.parse(body));
    return { status: 202, body: "" };
  }

  #reply(response: ServerResponse, { status, body }: Forwarded): void {
    const { time, tableSkewMs } = this.#options;
    const date = new Date(warpedMs(time) + tableSkewMs).toUTCString();
    response.writeHead(status, { Date: date, "Content-Type": "application/x-amz-json-1.0" }).end(body);
  }

  #weatherOf(host: number): Weather {
    const { time, random, note } = this.#options;
    const nowMs = warpedMs(time);
    const known = this.#weather.get(host);
    if (known && nowMs < known.untilMs) return known.weather;
    const weather = drawWeather(random);
    this.#weather.set(host, { weather, untilMs: nowMs + random.upTo(WEATHER_LASTS_MS) });
    if (weather !== "fair") note({ kind: "weather", host, weather });
    return weather;
  }
}

interface Forwarded {
  readonly status: number;
  readonly body: string;
}

/** As DynamoDB answers them. */
const THROTTLED = [
  "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
  "com.amazon.coral.availability#ThrottlingException",
];
const INTERNAL = "com.amazonaws.dynamodb.v20120810#InternalServerError";

function refusal(status: number, type: string): Forwarded {
  return { status, body: JSON.stringify({ __type: type, message: "chaos" }) };
}

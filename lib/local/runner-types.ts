import type { Hono } from "hono";
import type { Clock } from "./clock.ts";
import type { RunnerEvent } from "./events.ts";
import type { FaultOptions } from "./faults.ts";
import type { JobView } from "./job-views.ts";
import type { Worker } from "./workers.ts";

export interface RunnerOptions {
  /** Where everything is kept: tables, queue, logs. One runner at a time. Made when it is not there. */
  readonly stateDir: string;
  /** A cloud assembly to run as it is. @default the CDK app in the current folder is synthesized */
  readonly assemblyDir?: string;
  /** Empties `stateDir` first. @default false */
  readonly fresh?: boolean;
  /** Of the runner's server on 127.0.0.1. @default any free one */
  readonly port?: number;
  /** Of the embedded DynamoDB on 127.0.0.1. @default any free one */
  readonly dynamoPort?: number;
  /** Hears what happens, from the first step of the start on. What it throws stops nothing. */
  readonly onEvent?: (event: RunnerEvent) => void;
  /** What its schedules, its tables and its handlers go by. @default the machine's clock */
  readonly clock?: Clock;
  /** Takes changes of the project over while it runs, where the app in the current folder is synthesized. @default false */
  readonly watch?: boolean;
  /** @default none */
  readonly faults?: FaultOptions;
}

export interface Runner {
  /** As they are now: a reload changes them. */
  readonly jobs: readonly JobView[];
  readonly urls: { readonly lambda: string; readonly dynamo: string };
  readonly paths: { readonly state: string; readonly assembly: string; readonly logs: string };
  /** `now` in epoch milliseconds, as its schedules and handlers see it; `speed` is how fast it goes between two runs. */
  readonly clock: { now(): number } & Pick<Clock, "speed" | "pace" | "subscribe">;
  /** The faults that it makes, in words. */
  readonly faults: readonly string[];
  /** The sandboxes that are there now. */
  workers(): Worker[];
  /** Hears what happens from now on; the function returned ends that. What a listener throws stops nothing. */
  subscribe(listen: (event: RunnerEvent) => void): () => void;
  /** Begins nothing more, waits this long for handlers at work, then ends as `abort` does. */
  drain(maxMs: number): Promise<void>;
  /** Ends at once. Events of handlers at work stay in the queue for the next start. */
  abort(): Promise<void>;
  /** How many handlers are at work; at the end, how many of them it cut short. */
  underWay(): number;
  /** How many events wait in the queue: for their time, or for a sandbox. */
  waiting(): number;
  /** Signs in to the dashboard. */
  readonly token: string;
  /** Serves this beside the runner's own APIs. */
  serve(part: Hono): void;
}

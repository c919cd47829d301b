import type { JobOptions } from "../../lib/lambda/options.ts";
import { rate } from "../../lib/schedule/index.ts";

/** A job that goes through the chaos. A policy more is an entry more. */
export interface ChaosJob {
  readonly options: JobOptions;
  /** Which handlers must not be at work together: those of the job, or without a lock those of one and the same run. */
  readonly alone: "job" | "run";
  /** From one occurrence to the next. */
  readonly periodMs: number;
}

const schedule = rate("1 minute");

export const JOBS: Readonly<Record<string, ChaosJob>> = {
  skip: {
    options: { schedule, timeout: "15 seconds", maxLateness: "5 minutes", retries: 2 },
    alone: "job",
    periodMs: 8_000,
  },
  heartbeat: {
    options: { schedule, timeout: "30 seconds", heartbeat: "5 seconds", maxLateness: "5 minutes", retries: 1 },
    alone: "job",
    periodMs: 10_000,
  },
  queue: {
    options: {
      schedule,
      timeout: "15 seconds",
      overlap: "queue",
      queueLength: 5,
      maxLateness: "5 minutes",
      retries: 2,
    },
    alone: "job",
    periodMs: 8_000,
  },
  replace: {
    options: { schedule, timeout: "30 seconds", heartbeat: "5 seconds", overlap: "replace", maxLateness: "5 minutes" },
    alone: "job",
    periodMs: 10_000,
  },
  low: {
    options: { schedule, timeout: "30 seconds", heartbeat: "5 seconds", locks: ["ledger"], maxLateness: "5 minutes" },
    alone: "job",
    periodMs: 15_000,
  },
  high: {
    options: {
      schedule,
      timeout: "30 seconds",
      heartbeat: "5 seconds",
      locks: ["audit", "ledger"],
      priority: 1,
      maxLateness: "5 minutes",
    },
    alone: "job",
    periodMs: 15_000,
  },
  allow: {
    options: { schedule, timeout: "15 seconds", overlap: "allow", maxLateness: "5 minutes", retries: 2 },
    alone: "run",
    periodMs: 8_000,
  },
};

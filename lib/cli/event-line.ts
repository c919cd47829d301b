import type { RunnerEvent } from "../local/index.ts";
import { logLine } from "./log-line.ts";
import { paint, printable, printableBlock } from "./output.ts";
import { durationText, timeText } from "./times.ts";

/** What a runner event looks like, on one line unless its message has more; nothing for one that says no more than its neighbours. */
export function eventLine(
  event: RunnerEvent,
  jobOf: (functionName: string) => string,
  nowMs: number,
): string | undefined {
  switch (event.kind) {
    case "progress":
      return paint.dim(printableBlock(event.message));
    case "warning":
      return `${paint.yellow("warning:")} ${printableBlock(event.message)}`;
    case "reloaded":
      return printableBlock(event.message);
    case "fault":
      return `${paint.magenta("fault:")} ${printableBlock(event.message)}`;
    case "slept":
      return paint.yellow(sleptText(event));
    case "missed":
      return `${paint.bold(printable(event.job))} ${missedText(event)}`;
    default: {
      const text = invocationText(event, nowMs);
      return text && `${paint.bold(printable(jobOf(event.functionName)))} ${text}`;
    }
  }
}

function invocationText(event: Extract<RunnerEvent, { functionName: string }>, nowMs: number): string | undefined {
  switch (event.kind) {
    case "delivered":
      return undefined;
    case "started":
      return `${paint.cyan("started")}${event.attempt > 1 ? ` (delivery ${event.attempt})` : ""}`;
    case "finished": {
      const { error, durationMs } = event;
      return error && `${paint.red("failed")} after ${durationText(durationMs)}: ${errorText(error)}`;
    }
    case "again":
      return `${paint.yellow("comes again")} at ${event.dueAtMs > nowMs ? instant(event.dueAtMs) : "once"} (${event.why})`;
    case "dead-lettered":
      return `${paint.red("is a dead letter now")}: ${errorText(event.error)}`;
    case "log":
      return logLine(event.line);
  }
}

type Missed = Extract<RunnerEvent, { kind: "missed" }>;

function missedText({ count, schedule, firstMs, lastMs, catchUp }: Missed): string {
  const range = count === 1 ? instant(firstMs) : `${instant(firstMs)} to ${instant(lastMs)}`;
  return `${paint.yellow(`missed ${count}`)} of schedule ${printable(schedule)} while no runner ran, or the machine slept (${range})${catchUpText(catchUp)}`;
}

/** What becomes of missed occurrences, to be added to what names them. */
export function catchUpText(catchUp: Missed["catchUp"]): string {
  return catchUp ? CATCH_UP_TEXTS[catchUp] : "";
}

const CATCH_UP_TEXTS: Readonly<Record<NonNullable<Missed["catchUp"]>, string>> = {
  none: "; not run now",
  latest: "; the watchdog runs the latest one at its next look",
  all: "; the watchdog runs them at its next look: the newest, as many as the job's queueLength says",
};

export function sleptText({ fromMs, untilMs }: Extract<RunnerEvent, { kind: "slept" }>): string {
  return `this machine slept, or was too busy, for ${durationText(untilMs - fromMs)}, until ${instant(untilMs)}`;
}

/** A handler's process may send any JSON as its error. */
function errorText({ errorType, errorMessage }: { errorType: unknown; errorMessage: unknown }): string {
  return `${printable(errorType)}: ${printable(errorMessage)}`;
}

function instant(ms: number): string {
  return timeText(new Date(ms).toISOString());
}

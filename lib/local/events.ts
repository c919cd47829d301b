import { inspect } from "node:util";
import type { CatchUp } from "../run/index.ts";

/** Why an invocation failed, as Lambda words it. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

interface OfInvocation {
  readonly functionName: string;
  readonly requestId: string;
}

interface LineOf {
  readonly requestId?: string;
  readonly job?: string;
  readonly runId?: string;
}

/** What the runner tells while it works. The command line prints it. */
export type RunnerEvent =
  /** A step of the start, in words. */
  | { readonly kind: "progress"; readonly message: string }
  /** Something that does not stop the runner, but that its user should know. */
  | { readonly kind: "warning"; readonly message: string }
  /**
   * Occurrences that fell due while nobody watched, and not in a pause. The runner does not run them; the watchdog does what
   * `catchUp` says, which is not known of an app of an earlier release. `count` stops at 10,000.
   */
  | {
      readonly kind: "missed";
      readonly job: string;
      readonly schedule: string;
      readonly catchUp?: CatchUp | undefined;
      readonly count: number;
      readonly firstMs: number;
      readonly lastMs: number;
    }
  /** The machine slept, or did not get round to this process. What fell due then and is too late now is told as missed. */
  | { readonly kind: "slept"; readonly fromMs: number; readonly untilMs: number }
  /** An event stands in the function's queue, on disk. */
  | (OfInvocation & { readonly kind: "delivered"; readonly source: string })
  /** A sandbox has begun to work on it. `attempt` counts its invocations from 1. */
  | (OfInvocation & { readonly kind: "started"; readonly attempt: number })
  | (OfInvocation & { readonly kind: "finished"; readonly durationMs: number; readonly error?: FunctionError })
  /** It failed and comes again, as does one whose runner died (`why`). */
  | (OfInvocation & { readonly kind: "again"; readonly dueAtMs: number; readonly why: "failed" | "runner ended" })
  /** It failed for good. Without a destination Lambda drops the event, and so do we. */
  | (OfInvocation & { readonly kind: "dead-lettered"; readonly destination?: string; readonly error: FunctionError })
  /** One line that a sandbox printed, when by the runner's clock, and the run that it is of as far as that is known. */
  | (LineOf & { readonly kind: "log"; readonly functionName: string; readonly atMs: number; readonly line: string })
  /** The project was synthesized anew and is what runs from now on. What has changed, in words. */
  | { readonly kind: "reloaded"; readonly message: string }
  /** A fault that was asked for has been made: what befell whom, in words. */
  | { readonly kind: "fault"; readonly fault: FaultKind; readonly message: string; readonly requestId?: string };

export type FaultKind = "duplicate" | "crash" | "lost reply" | "throttled" | "skew";

export type Tell = (event: RunnerEvent) => void;

/** Tells a listener of another's making. What goes wrong in it, also later, never comes back; the first time it is said. */
export function tellSafely(listen: Tell): Tell {
  let said = false;
  return (event) => {
    new Promise<void>((resolve) => resolve(listen(event))).catch((error) => {
      if (said) return;
      said = true;
      process.emitWarning(`onEvent failed, and the runner goes on: ${inspect(error)}`);
    });
  };
}

import type { Found } from "./assembly.ts";
import { badAssembly } from "./assembly-files.ts";
import type { DeliveryPolicy, FunctionDefinition, ScheduleDefinition } from "./definitions.ts";
import { functionNameOf, LOCAL_ACCOUNT, LOCAL_REGION } from "./place.ts";
import type { ScheduleName } from "./runner-file.ts";

/** Undefined, with a warning, for a schedule whose target does not run here. */
export function readSchedule(
  found: Found,
  functions: readonly FunctionDefinition[],
  warn: (message: string) => void,
): ScheduleDefinition | undefined {
  const name = String(found.property("Name") ?? found.label.replace("/", "-"));
  const id = `${found.property("GroupName") ?? "default"}/${name}`;
  const target = (found.property("Target") ?? {}) as Target;
  const functionName = functionNameOf(target.Arn ?? "");
  if (!functions.some((fn) => fn.name === functionName)) {
    warn(
      `The schedule ${id} (${found.label}) is not fired here: its target, ${target.Arn}, is no function that runs here.`,
    );
    return undefined;
  }
  const expression = found.property("ScheduleExpression");
  if (typeof expression !== "string") {
    throw badAssembly(
      `The schedule ${id} (${found.label}) has no ScheduleExpression, or one that only AWS can resolve.`,
    );
  }
  const input = target.Input === undefined ? {} : parseInput(target.Input, id);
  const window = found.property("FlexibleTimeWindow") as { MaximumWindowInMinutes?: number } | undefined;
  const start = found.property("StartDate");
  const end = found.property("EndDate");
  return {
    id,
    arn: `arn:aws:scheduler:${LOCAL_REGION}:${LOCAL_ACCOUNT}:schedule/${id}`,
    job: input.escapement?.job ?? functionName,
    name: input.escapement?.schedule ?? name,
    spec: {
      expression,
      timeZone: String(found.property("ScheduleExpressionTimezone") ?? "UTC"),
      ...(start !== undefined && { start: String(start) }),
      ...(end !== undefined && { end: String(end) }),
      ...(window?.MaximumWindowInMinutes && { flexibleWindowMinutes: Number(window.MaximumWindowInMinutes) }),
    },
    enabled: found.property("State") !== "DISABLED",
    isWatchdogs: input.escapement?.watchdog !== undefined,
    functionName,
    ...(target.Input !== undefined && { input: target.Input }),
    delivery: readDelivery(target),
  };
}

/** For those who only know the jobs: what the template disables, whatever the job's file says. */
export function disabledSchedules(schedules: readonly ScheduleDefinition[]): ScheduleName[] {
  return schedules.filter(({ enabled }) => !enabled).map(({ job, name }) => ({ job, schedule: name }));
}

interface Target {
  readonly Arn?: string;
  readonly Input?: string;
  readonly RetryPolicy?: { readonly MaximumRetryAttempts?: number; readonly MaximumEventAgeInSeconds?: number };
  readonly DeadLetterConfig?: { readonly Arn?: string };
}

/**
 * A day and 185 times where the template says nothing, as Scheduler.
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_RetryPolicy.html
 */
function readDelivery({ RetryPolicy, DeadLetterConfig }: Target): DeliveryPolicy {
  return {
    maxRetries: Number(RetryPolicy?.MaximumRetryAttempts ?? 185),
    maxAgeMs: Number(RetryPolicy?.MaximumEventAgeInSeconds ?? 86_400) * 1000,
    ...(DeadLetterConfig?.Arn && { destination: DeadLetterConfig.Arn }),
  };
}

interface Input {
  readonly escapement?: { readonly job?: string; readonly schedule?: string; readonly watchdog?: string };
}

function parseInput(input: string, id: string): Input {
  try {
    return JSON.parse(input) ?? {};
  } catch (error) {
    throw badAssembly(`The input of the schedule ${id} is not JSON, as Lambda's must be: ${(error as Error).message}`);
  }
}

import type { Found } from "./assembly.ts";
import type { FunctionDefinition, RuleDefinition } from "./definitions.ts";
import { isPlainPattern } from "./event-pattern.ts";
import { functionNameOf } from "./place.ts";

interface Target {
  readonly Arn?: string;
  readonly Input?: unknown;
  readonly InputPath?: unknown;
  readonly InputTransformer?: unknown;
}

/** Undefined for a disabled rule, and, with a warning, for one that this machine cannot follow in whole. */
export function readRule(
  rule: Found,
  functions: readonly FunctionDefinition[],
  warn: (message: string) => void,
): RuleDefinition | undefined {
  if (rule.property("State") === "DISABLED") return undefined;
  const targets = (rule.property("Targets") ?? []) as Target[];
  const names = new Set(functions.map((fn) => fn.name));
  const pattern = rule.property("EventPattern");
  const cannot =
    (rule.property("ScheduleExpression") !== undefined && "only EventBridge Scheduler's schedules are fired") ||
    (!isPlainPattern(pattern) && "only patterns of plain values are understood") ||
    (targets.some(({ Input, InputPath, InputTransformer }) => Input ?? InputPath ?? InputTransformer) &&
      "its targets change the event") ||
    (!targets.every(({ Arn = "" }) => names.has(functionNameOf(Arn))) && "a target is no function that runs here");
  if (cannot || !isPlainPattern(pattern)) {
    warn(`The rule ${rule.label} does not run here: ${cannot}.`);
    return undefined;
  }
  const bus = String(rule.property("EventBusName") ?? "default");
  return { bus, pattern, functionNames: targets.map(({ Arn = "" }) => functionNameOf(Arn)) };
}

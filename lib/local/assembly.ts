import { readAssemblyFiles } from "./assembly-files.ts";
import { readFunction } from "./assembly-functions.ts";
import { readRule } from "./assembly-rules.ts";
import { readSchedule } from "./assembly-schedules.ts";
import { readTable } from "./assembly-tables.ts";
import type { Assembly } from "./definitions.ts";
import { resolveValue, type Scope } from "./intrinsics.ts";
import { openScopes } from "./scopes.ts";

/** One resource of a template; its properties are resolved when they are asked for. */
export interface Found {
  /** `<stack>/<logical id>`, for messages. */
  readonly label: string;
  readonly type: string;
  arn(): string;
  property(name: string): unknown;
  metadata(name: string): unknown;
}

/**
 * Reads from a synthesized cloud assembly what can run here: its templates and assets, nothing else.
 *
 * @throws RunnerError BAD_ASSEMBLY where the folder holds none, or where a file that it names is not there
 */
export function readAssembly(dir: string): Assembly {
  const files = readAssemblyFiles(dir);
  const warnings = new Set<string>();
  const warn = (message: string) => {
    warnings.add(message);
  };
  const found = openScopes(files, warn).flatMap(resourcesOf);
  const ofType = (...types: string[]) => found.filter((resource) => types.includes(resource.type));

  const policies = ofType("AWS::Lambda::EventInvokeConfig");
  const functions = ofType("AWS::Lambda::Function").flatMap((fn) => readFunction(fn, policies, files, warn) ?? []);
  const schedules = ofType("AWS::Scheduler::Schedule").flatMap((one) => readSchedule(one, functions, warn) ?? []);
  const rules = ofType("AWS::Events::Rule").flatMap((rule) => readRule(rule, functions, warn) ?? []);
  const tables = ofType("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable").map(readTable);
  const deadLetters = new Set(functions.map(({ asyncPolicy }) => asyncPolicy.destination));
  for (const one of ofType("AWS::Scheduler::Schedule")) deadLetters.add(deadLetterArn(one));
  warnOfTheRest(found, deadLetters, warn);
  return { dir, functions, schedules, rules, tables, warnings: [...warnings] };
}

function resourcesOf(scope: Scope): Found[] {
  return Object.entries(scope.template.Resources ?? {}).map(([id, resource]) => ({
    label: `${scope.stackName}/${id}`,
    type: resource.Type,
    arn: () => String(resolveValue(scope, { "Fn::GetAtt": [id, "Arn"] })),
    property: (name) => resolveValue(scope, resource.Properties?.[name]),
    metadata: (name) => resource.Metadata?.[name],
  }));
}

/** Where a schedule sends what it cannot deliver. */
function deadLetterArn(schedule: Found): string | undefined {
  return (schedule.property("Target") as { DeadLetterConfig?: { Arn?: string } } | undefined)?.DeadLetterConfig?.Arn;
}

/** Read above. */
const runs =
  /^AWS::(Lambda::(Function|EventInvokeConfig)|Scheduler::Schedule|DynamoDB::(Table|GlobalTable)|Events::Rule|CloudFormation::Stack)$/;

/** Permissions, logs and watching: nothing of a job's work waits for them. */
const nothingToRun =
  /^AWS::(IAM|Logs|CloudWatch|KMS|CDK|XRay)::|^AWS::(Lambda::(Permission|Version|Alias)|Scheduler::ScheduleGroup|SQS::QueuePolicy|SNS::TopicPolicy)$/;

/** A queue that takes dead letters is a folder here; any other is not there. */
function warnOfTheRest(
  found: readonly Found[],
  deadLetters: ReadonlySet<string | undefined>,
  warn: (message: string) => void,
): void {
  for (const resource of found) {
    if (runs.test(resource.type) || nothingToRun.test(resource.type)) continue;
    if (resource.type === "AWS::SQS::Queue" && deadLetters.has(resource.arn())) continue;
    warn(`${resource.label} (${resource.type}) does not run here: calls to it from a function fail.`);
  }
}

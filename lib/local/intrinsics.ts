import type { Resource, Template } from "./assembly-files.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION, NOWHERE } from "./place.ts";

/** A template with what its references need: its stack's name, its parameters' values, its nested templates. */
export interface Scope {
  readonly stackName: string;
  readonly template: Template;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly nested: Map<string, Scope>;
  /** Values that other stacks of the assembly export. */
  readonly imports: (name: string) => unknown;
  /** The value of another stack's output, exported or not. */
  readonly outputs: (stackName: string, name: string) => unknown;
  readonly warn: (message: string) => void;
}

/** Replaces CloudFormation's functions by their values, all the way down, for an account and region that are marked local. */
export function resolveValue(scope: Scope, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveValue(scope, item)).filter((item) => item !== undefined);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [name, argument] = entries[0] ?? [];
  if (entries.length === 1 && name && (name === "Ref" || name.startsWith("Fn::"))) return call(scope, name, argument);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, resolveValue(scope, item)] as const).filter(([, item]) => item !== undefined),
  );
}

function call(scope: Scope, name: string, argument: unknown): unknown {
  switch (name) {
    case "Ref":
      return reference(scope, String(argument));
    case "Fn::GetAtt": {
      const [id, ...attribute] = Array.isArray(argument) ? argument.map(String) : String(argument).split(".");
      return attributeOf(scope, id ?? "", attribute.join("."));
    }
    case "Fn::Join": {
      const [separator, parts] = argument as [string, unknown];
      return (resolveValue(scope, parts) as unknown[]).map(String).join(separator);
    }
    case "Fn::Sub":
      return substitute(scope, argument);
    case "Fn::Select": {
      const [index, list] = argument as [number | string, unknown];
      return (resolveValue(scope, list) as unknown[])[Number(index)];
    }
    case "Fn::Split": {
      const [separator, text] = argument as [string, unknown];
      return String(resolveValue(scope, text)).split(separator);
    }
    case "Fn::ImportValue":
      return scope.imports(String(resolveValue(scope, argument)));
    case "Fn::GetStackOutput": {
      const { StackName, OutputName } = resolveValue(scope, argument) as { StackName: string; OutputName: string };
      return scope.outputs(StackName, OutputName);
    }
    default:
      scope.warn(`${scope.stackName}: ${name} is not understood on this machine; its value is left out.`);
      return undefined;
  }
}

function substitute(scope: Scope, argument: unknown): string {
  const [text, variables] = (Array.isArray(argument) ? argument : [argument, {}]) as [string, Record<string, unknown>];
  return text.replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (name in variables) return String(resolveValue(scope, variables[name]));
    const [id, ...attribute] = name.split(".");
    return String(attribute.length > 0 ? attributeOf(scope, id ?? "", attribute.join(".")) : reference(scope, name));
  });
}

const pseudoParameters: Record<string, unknown> = {
  "AWS::AccountId": LOCAL_ACCOUNT,
  "AWS::Region": LOCAL_REGION,
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
  "AWS::NotificationARNs": [],
  "AWS::NoValue": undefined,
};

function reference(scope: Scope, name: string): unknown {
  if (name === "AWS::StackName") return scope.stackName;
  if (name === "AWS::StackId") return arn("cloudformation", `stack/${scope.stackName}/local`);
  if (name in pseudoParameters) return pseudoParameters[name];
  if (name in scope.parameters) return scope.parameters[name];
  const resource = scope.template.Resources?.[name];
  if (!resource) {
    scope.warn(`${scope.stackName}: Ref to "${name}", which its template does not have.`);
    return undefined;
  }
  const physicalName = physicalNameOf(scope, name, resource);
  if (resource.Type === "AWS::SQS::Queue") return `${NOWHERE}/${LOCAL_ACCOUNT}/${physicalName}`;
  if (resource.Type === "AWS::SNS::Topic") return arn("sns", physicalName);
  return physicalName;
}

function attributeOf(scope: Scope, id: string, attribute: string): unknown {
  const nested = scope.nested.get(id);
  if (nested && attribute.startsWith("Outputs.")) {
    return resolveValue(nested, nested.template.Outputs?.[attribute.slice("Outputs.".length)]?.Value);
  }
  const resource = scope.template.Resources?.[id];
  if (resource && attribute === "Arn") {
    const physicalName = physicalNameOf(scope, id, resource);
    const service = resource.Type.split("::")[1]?.toLowerCase() ?? "";
    return arn(service, `${arnPrefixes[resource.Type] ?? ""}${physicalName}`);
  }
  scope.warn(`${scope.stackName}: ${id}.${attribute} has no value on this machine; it reads "${id}.${attribute}".`);
  return `${id}.${attribute}`;
}

const arnPrefixes: Record<string, string> = {
  "AWS::DynamoDB::GlobalTable": "table/",
  "AWS::DynamoDB::Table": "table/",
  "AWS::Events::EventBus": "event-bus/",
  "AWS::Events::Rule": "rule/",
  "AWS::IAM::Role": "role/",
  "AWS::Lambda::Function": "function:",
  "AWS::Logs::LogGroup": "log-group:",
  "AWS::Scheduler::ScheduleGroup": "schedule-group/",
};

const nameProperties = ["FunctionName", "TableName", "QueueName", "TopicName", "RoleName", "LogGroupName", "Name"];

/** The name in the template; else `<stack>-<logical id>`, as CloudFormation makes it, without the random end. */
export function physicalNameOf(scope: Scope, id: string, resource: Resource): string {
  const given = nameProperties.map((property) => resource.Properties?.[property]).find((name) => name !== undefined);
  return given === undefined ? `${scope.stackName}-${id}` : String(resolveValue(scope, given));
}

function arn(service: string, rest: string): string {
  return `arn:aws:${service}:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${rest}`;
}

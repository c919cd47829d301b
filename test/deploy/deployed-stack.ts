import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from "@aws-sdk/client-cloudformation";
import { PASSED_OVER } from "./passed-over.ts";
import { readers } from "./readers/index.ts";

/** A resource as its stack has it. */
export interface DeployedResource {
  /** Where the app declares it, below its stack: `Fleet/RunTable/Table`. */
  readonly path: string;
  readonly type: string;
  readonly physicalId: string;
  readonly isRetained: boolean;
  /** As in the template, with the physical ids of the resources that it refers to. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly Metadata: { readonly "aws:cdk:path": string };
}

const cloudFormation = new CloudFormationClient();

/** An output of a stack, as commands find them. */
export async function outputOf(StackName: string, key: string): Promise<string> {
  const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  const value = stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
  if (value === undefined) throw new Error(`${StackName} has no output ${key}`);
  return value;
}

/** The resources of a stack. */
export async function resourcesOf(stackName: string): Promise<DeployedResource[]> {
  const { TemplateBody = "" } = await cloudFormation.send(new GetTemplateCommand({ StackName: stackName }));
  const template: Template = JSON.parse(TemplateBody);
  const names = await namesIn(stackName);
  return Object.entries(template.Resources).map(([logicalId, resource]) => {
    const physicalId = names.get(logicalId);
    if (physicalId === undefined) throw new Error(`${stackName}: ${logicalId} (${resource.Type}) was not created`);
    return {
      path: resource.Metadata["aws:cdk:path"].replace(/^[^/]+\//, "").replace(/\/Resource$/, ""),
      type: resource.Type,
      physicalId,
      isRetained: resource.DeletionPolicy === "Retain",
      properties: withNames(resource.Properties ?? {}, names) as Record<string, unknown>,
    };
  });
}

/** What a `Ref` stands for in a stack: the physical id of a resource, or the value of a parameter. */
async function namesIn(StackName: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  for (const { ParameterKey, ParameterValue } of stack?.Parameters ?? []) {
    if (ParameterKey && ParameterValue) names.set(ParameterKey, ParameterValue);
  }
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client: cloudFormation },
    { StackName },
  )) {
    for (const { LogicalResourceId, PhysicalResourceId } of StackResourceSummaries) {
      if (LogicalResourceId && PhysicalResourceId) names.set(LogicalResourceId, PhysicalResourceId);
    }
  }
  return names;
}

function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((element) => withNames(element, names));
  if (typeof value !== "object" || value === null) return value;
  const { Ref, "Fn::GetAtt": [owner] = [] } = value as { Ref?: string; "Fn::GetAtt"?: string[] };
  const name = names.get(Ref ?? owner ?? "");
  if (name !== undefined) return name;
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, withNames(element, names)]));
}

/** What the resource's own service says of it; undefined where it has none. */
export async function read(resource: DeployedResource): Promise<unknown> {
  const reader = readers[resource.type];
  if (!reader) throw new Error(`Nothing reads ${resource.type} (${resource.path}) back: add it to test/deploy/readers`);
  try {
    return await reader(resource);
  } catch (error) {
    if (error instanceof Error && isNotFound.test(error.name)) return undefined;
    throw error;
  }
}

const isNotFound = /^(ResourceNotFound(Exception)?|NoSuchEntity(Exception)?|QueueDoesNotExist|DashboardNotFoundError)$/;

/** What the services say of each resource, by its path. The types that the emulator passes over are left out. */
export async function readAll(resources: readonly DeployedResource[]): Promise<ReadonlyMap<string, unknown>> {
  const readings = new Map<string, unknown>();
  for (const resource of resources) {
    if (!(resource.type in PASSED_OVER)) readings.set(resource.path, await read(resource));
  }
  return readings;
}

/** The paths of those resources that their services still have, in order. */
export async function pathsOfThoseLeft(resources: readonly DeployedResource[]): Promise<string[]> {
  const readings = await readAll(resources);
  return [...readings.keys()].filter((path) => readings.get(path) !== undefined).sort();
}

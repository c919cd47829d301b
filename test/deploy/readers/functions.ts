import {
  GetPolicyCommand as GetManagedPolicyCommand,
  GetPolicyVersionCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  ListAttachedRolePoliciesCommand,
} from "@aws-sdk/client-iam";
import {
  GetFunctionConfigurationCommand,
  GetFunctionEventInvokeConfigCommand,
  GetPolicyCommand,
  LambdaClient,
} from "@aws-sdk/client-lambda";
import type { Reader } from "./index.ts";

const lambda = new LambdaClient();
const iam = new IAMClient();

/** Functions and what they may do. */
export const functionReaders: Readonly<Record<string, Reader>> = {
  "AWS::Lambda::Function": async ({ physicalId: FunctionName }) => {
    const {
      $metadata: _metadata,
      LastModified: _modified,
      RevisionId: _revision,
      ...configuration
    } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    return configuration;
  },
  "AWS::Lambda::EventInvokeConfig": async ({ properties }) => {
    const { FunctionName, Qualifier } = properties as { FunctionName: string; Qualifier: string };
    const { MaximumEventAgeInSeconds, MaximumRetryAttempts, DestinationConfig } = await lambda.send(
      new GetFunctionEventInvokeConfigCommand({ FunctionName, Qualifier }),
    );
    return { MaximumEventAgeInSeconds, MaximumRetryAttempts, DestinationConfig };
  },
  "AWS::Lambda::Permission": async ({ properties }) => {
    const { FunctionName } = properties as { FunctionName: string };
    const { Policy = "" } = await lambda.send(new GetPolicyCommand({ FunctionName }));
    return JSON.parse(Policy);
  },
  "AWS::IAM::Role": async ({ physicalId: RoleName }) => {
    const { Role } = await iam.send(new GetRoleCommand({ RoleName }));
    const { AttachedPolicies = [] } = await iam.send(new ListAttachedRolePoliciesCommand({ RoleName }));
    return {
      assumedBy: document(Role?.AssumeRolePolicyDocument),
      boundary: Role?.PermissionsBoundary?.PermissionsBoundaryArn,
      managedPolicies: AttachedPolicies.map(({ PolicyArn }) => PolicyArn),
    };
  },
  "AWS::IAM::Policy": async ({ properties }) => {
    const { Roles: [RoleName] = [], PolicyName } = properties as { Roles?: string[]; PolicyName: string };
    const { PolicyDocument } = await iam.send(new GetRolePolicyCommand({ RoleName, PolicyName }));
    return document(PolicyDocument);
  },
  "AWS::IAM::ManagedPolicy": async ({ physicalId: PolicyArn }) => {
    const { Policy } = await iam.send(new GetManagedPolicyCommand({ PolicyArn }));
    const version = { PolicyArn, VersionId: Policy?.DefaultVersionId };
    const { PolicyVersion } = await iam.send(new GetPolicyVersionCommand(version));
    return { name: Policy?.PolicyName, document: document(PolicyVersion?.Document) };
  },
};

/** IAM gives its documents encoded as in an address. */
function document(text = ""): object {
  return JSON.parse(decodeURIComponent(text));
}

import { Stack } from "aws-cdk-lib";
import { type ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";

/**
 * Lets people use a key through a service of their region alone: for what they reach there, and for nothing else that is
 * encrypted with it. What a service's name ends with is the partition's.
 */
export function grantKeyThrough(
  service: "dynamodb" | "sqs",
  key: IKey | undefined,
  policy: ManagedPolicy,
  actions: string[],
): void {
  if (!key) return;
  const conditions = { StringLike: { "kms:ViaService": `${service}.${Stack.of(policy).region}.*` } };
  policy.addStatements(new PolicyStatement({ actions, resources: [key.keyArn], conditions }));
}

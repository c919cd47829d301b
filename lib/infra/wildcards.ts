import { Stack, Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Tells cdk-nag, for those who use it, why a right of the scope reaches more than one resource. */
export function acknowledgeWildcard(scope: IConstruct, arn: string, reason: string): void {
  const resource = shownByNag(Stack.of(scope).resolve(arn));
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-IAM5[Resource::${resource}]`, reason });
}

/** As cdk-nag writes it into the id of its finding: references in angle brackets. */
function shownByNag(value: unknown): string {
  if (typeof value === "string") return value;
  const { Ref: reference, "Fn::Join": join } = value as { Ref?: string; "Fn::Join"?: [string, unknown[]] };
  if (reference) return `<${reference}>`;
  const [separator, parts] = join ?? ["", []];
  return parts.map(shownByNag).join(separator);
}

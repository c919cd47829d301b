import { ArnFormat, type Stack } from "aws-cdk-lib";

/** The ARN of a function of this stack's account and region, made of its name alone: no resource waits for another. */
export function functionArn(stack: Stack, name: string): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return stack.formatArn({ service: "lambda", resource: "function", resourceName: name, arnFormat });
}

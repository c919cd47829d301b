import type { Stack } from "aws-cdk-lib";
import { functionArn } from "./function-arn.ts";
import { fleetPrefix } from "./names.ts";

/** The ARN of every function of a fleet. A list of them would outgrow what IAM allows at some 60 jobs. */
export function fleetFunctionsArn(stack: Stack, fleetName: string): string {
  return functionArn(stack, `${fleetPrefix(fleetName)}_*`);
}

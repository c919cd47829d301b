/** Types of our templates that the emulator has no service for, with the reason: CloudFormation there counts them only. */
export const PASSED_OVER: Readonly<Record<string, string>> = {
  "AWS::Logs::QueryDefinition": "it keeps no saved queries",
};

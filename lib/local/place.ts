/** Where everything "is" on this machine: values that nobody can take for an account's. */
export const LOCAL_ACCOUNT = "000000000000";
export const LOCAL_REGION = "local";

/** A local port at which nobody listens: calls to AWS services that are not here end there. */
export const NOWHERE = "http://127.0.0.1:9";

export function functionArn(functionName: string): string {
  return `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${functionName}`;
}

/** The name in a function's name, partial or whole ARN, with or without a version at its end. */
export function functionNameOf(nameOrArn: string): string {
  const parts = nameOrArn.split(":");
  const marker = parts.indexOf("function");
  return (marker < 0 ? parts[0] : parts[marker + 1]) ?? "";
}

/** The address where it is one of the AWS console's; nothing else becomes a link. */
export function consoleLink(address: string): string | undefined {
  const isConsole = /^https:\/\/[a-z0-9-]+\.console\.(aws\.amazon\.com|amazonaws\.cn|amazonaws-us-gov\.com)\//.test(
    address,
  );
  return isConsole ? address : undefined;
}

import { createHash } from "node:crypto";

/** The longest name that Lambda takes for a function, and EventBridge Scheduler for a schedule and a group. */
const maxLength = 64;
/** What a long job leaves of its stack's name at least, so that both stay readable. */
const reserved = 20;

/**
 * The name of a job's function: `<stack>_<job>`, in at most 64 characters. Neither name can have a `_` of its own, so no
 * other stack's job has the same.
 */
export function functionName(stackName: string, job: string): string {
  return fit(stackName, "_", job);
}

/** The name of a schedule in its stack's group: the job's, followed by the schedule's unless that is `default`. */
export function scheduleName(job: string, schedule: string): string {
  return schedule === "default" ? fit("", "", job) : fit(job, ".", schedule);
}

/** The name of a stack's schedule group. */
export function groupName(stackName: string): string {
  return fit("", "", stackName);
}

/**
 * Joins two names. What is too long is cut, the first one more than the second, and ends with a hash of the whole, so
 * that two names which differ anywhere stay different.
 */
function fit(first: string, separator: string, second: string): string {
  const whole = `${first}${separator}${second}`;
  if (whole.length <= maxLength) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  const room = maxLength - separator.length - `-${hash}`.length;
  const end = second.slice(0, room - Math.min(first.length, reserved));
  return `${first.slice(0, room - end.length)}${separator}${end}-${hash}`;
}

import { createHash } from "node:crypto";

/** The longest name that EventBridge Scheduler takes for a schedule and a group. */
const MAX_LENGTH = 64;

/** The name of a schedule in its stack's group: the job's, followed by the schedule's unless that is `default`. */
export function scheduleName(job: string, schedule: string): string {
  return fitName(schedule === "default" ? job : `${job}.${schedule}`, MAX_LENGTH);
}

/** The name of a stack's schedule group. */
export function groupName(stackName: string): string {
  return fitName(stackName, MAX_LENGTH);
}

/** Cuts a name that is too long; it then ends with a hash of the whole, so that names which differ anywhere stay different. */
export function fitName(name: string, length: number): string {
  if (name.length <= length) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.slice(0, length - hash.length - 1).replace(/[-.]+$/, "")}-${hash}`;
}

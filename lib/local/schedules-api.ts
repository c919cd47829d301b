import { Hono } from "hono";
import type { ScheduleDefinition } from "./definitions.ts";
import { isSignedWith } from "./signature.ts";

/**
 * EventBridge Scheduler's GetSchedule, by which the watchdog learns what the schedules really are.
 *
 * @param options.seenSinceMs since when a schedule has been as it is
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_GetSchedule.html
 */
export function schedulesApi(options: {
  accessKeyId: string;
  schedules: () => readonly ScheduleDefinition[];
  seenSinceMs: (schedule: ScheduleDefinition) => number;
}): Hono {
  const api = new Hono();
  api.get("/schedules/:name", (c) => {
    if (!isSignedWith(c, options.accessKeyId)) return c.json({ __type: "UnrecognizedClientException" }, 403);
    const id = `${c.req.query("groupName") ?? "default"}/${c.req.param("name")}`;
    const schedule = options.schedules().find((one) => one.id === id);
    if (schedule) return c.json(shown(schedule, options.seenSinceMs(schedule)));
    const message = `Schedule ${id} does not exist.`;
    return c.json({ Message: message }, 404, { "x-amzn-ErrorType": "ResourceNotFoundException" });
  });
  return api;
}

/** Instants are in epoch seconds, as in AWS's answer. */
function shown({ id, arn, spec, enabled }: ScheduleDefinition, seenSinceMs: number) {
  const { expression, timeZone, start, end, flexibleWindowMinutes } = spec;
  const [group, name] = id.split("/");
  return {
    Arn: arn,
    GroupName: group,
    Name: name,
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: timeZone,
    StartDate: start === undefined ? undefined : Date.parse(start) / 1000,
    EndDate: end === undefined ? undefined : Date.parse(end) / 1000,
    FlexibleTimeWindow: flexibleWindowMinutes
      ? { Mode: "FLEXIBLE", MaximumWindowInMinutes: flexibleWindowMinutes }
      : { Mode: "OFF" },
    State: enabled ? "ENABLED" : "DISABLED",
    CreationDate: seenSinceMs / 1000,
    LastModificationDate: seenSinceMs / 1000,
  };
}

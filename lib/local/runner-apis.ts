import type { Hono } from "hono";
import { eventBus } from "./event-bus.ts";
import { invokeApi } from "./invoke-api.ts";
import type { Ground } from "./runner-ground.ts";
import type { RunningAssembly } from "./running-assembly.ts";
import { runtimeApi } from "./runtime-api.ts";
import { schedulesApi } from "./schedules-api.ts";

/** What sandboxes and programs of this machine call on the runner, in the shapes of AWS's APIs. */
export function runnerApis(running: RunningAssembly, { accessKeyId, clock }: Ground): Hono[] {
  const { functions, accept, host, scheduler } = running;
  return [
    runtimeApi(host.sandboxes),
    invokeApi({ accessKeyId, functions, accept }),
    eventBus({ accessKeyId, rules: () => running.assembly.rules, accept, clock }),
    schedulesApi({
      accessKeyId,
      schedules: () => running.assembly.schedules,
      seenSinceMs: (one) => scheduler.seenSinceMs(one),
    }),
  ];
}

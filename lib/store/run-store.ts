import type { Command, Protocol, Reply } from "../run/command.ts";
import { decodeLock, decodeRecord, decodeState } from "./codec.ts";
import { requestFor } from "./commands.ts";
import type { Request, Result } from "./request.ts";
import { send, type TableOptions } from "./sender.ts";

/** Carries out the run protocol's commands. */
export interface RunStore {
  /** @throws StoreError for every real fault; a refused write is a reply */
  execute(command: Command): Promise<Reply>;
}

/** A run store on a DynamoDB table: one request for each command. */
export function createRunStore(options: TableOptions): RunStore {
  return {
    async execute(command) {
      const request = requestFor(options.fleet, command);
      return replyTo(command, request, await send(request, options));
    },
  };
}

/**
 * Carries a protocol through, one command after the other.
 * @example const begun = await perform(begin(delivery), store);
 * @throws StoreError
 */
export async function perform<T>(protocol: Protocol<T>, store: RunStore): Promise<T> {
  let step = protocol.next();
  while (!step.done) step = protocol.next(await store.execute(step.value));
  return step.value;
}

/** A request's result in the protocol's words. */
export function replyTo(command: Command, request: Request, { nowMs, applied, item, items, after }: Result): Reply {
  if (request.kind === "query") {
    const [newest] = items ?? [];
    return { nowMs, applied, success: newest && successOf(decodeRecord(newest)), cursor: after };
  }
  // An entry that is there already tells of nothing but itself.
  if (!item || command.kind === "note") return { nowMs, applied };
  if ("lock" in command) return { nowMs, applied, lock: decodeLock(item) };
  const isRecord = request.kind === "put" || command.kind === "read-record";
  return isRecord ? { nowMs, applied, record: decodeRecord(item) } : { nowMs, applied, state: decodeState(item) };
}

function successOf({ runId, scheduledTimeMs = 0, endedMs = 0 }: ReturnType<typeof decodeRecord>): Reply["success"] {
  return { runId, scheduledTimeMs, endedMs };
}

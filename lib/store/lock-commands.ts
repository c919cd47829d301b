import type { Command } from "../run/command.ts";
import { encodeSharedLease, encodeStop, FORMAT_VERSION } from "./codec.ts";
import {
  type Condition,
  fenceAsSeen,
  isHeldBy,
  isNotRenewedSince,
  isReadable,
  leaseAsSeen,
  noLease,
  noStop,
} from "./conditions.ts";
import { lockKey } from "./keys.ts";
import type { Update } from "./request.ts";
import { toEpochSeconds } from "./times.ts";

/** A command on a lock that several jobs name. */
export type LockCommand = Extract<Command, { readonly lock: string }>;

export function lockRequestFor(fleet: string, command: LockCommand): Update {
  switch (command.kind) {
    case "take-lock": {
      const { lease, startedMs, seen } = command;
      const clauses = seen ? [leaseAsSeen(seen), fenceAsSeen(seen)] : [noLease];
      return {
        ...updateLock(fleet, command, ...clauses),
        set: { v: FORMAT_VERSION, lease: encodeSharedLease(lease) },
        remove: ["stop"],
        increment: { attribute: "fence", from: toEpochSeconds(startedMs) },
      };
    }
    case "renew-lock": {
      const { lease } = command;
      const set = { lease: encodeSharedLease(lease) };
      return { ...updateLock(fleet, command, isHeldBy(lease.owner), isNotRenewedSince(lease)), set };
    }
    case "ask-lock-holder": {
      const { stop } = command;
      return { ...updateLock(fleet, command, isHeldBy(stop.owner), noStop), set: { stop: encodeStop(stop) } };
    }
    case "release-lock":
      return { ...updateLock(fleet, command, isHeldBy(command.owner)), remove: ["lease", "stop"] };
  }
}

function updateLock(fleet: string, { lock }: LockCommand, ...clauses: readonly Condition[]): Update {
  return {
    kind: "update",
    key: lockKey(fleet, lock),
    condition: { allOf: [...clauses, isReadable] },
    set: {},
    remove: [],
  };
}

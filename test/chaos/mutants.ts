import type { Command } from "../../lib/run/index.ts";
import { requestFor } from "../../lib/store/commands.ts";
import { createDynamoClient, type RunStore } from "../../lib/store/index.ts";
import { replyTo } from "../../lib/store/run-store.ts";
import { send } from "../../lib/store/sender.ts";
import { without } from "../simulation/without.ts";

/** A protocol broken on purpose: the clauses that one command's condition lacks, by their places. */
export interface Mutant {
  readonly kind: Command["kind"];
  readonly places: readonly number[];
}

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  "takes a lock that is held": { kind: "acquire-newest", places: [0] },
  "takes the lock whatever happened since the look": { kind: "acquire-as-seen", places: [0, 1] },
  "lets two claim one run": { kind: "put-as-seen", places: [0, 1] },
  "replaces any record": { kind: "put-record", places: [0, 1, 2] },
  "skips a run that has a record": { kind: "put-skipped", places: [0] },
  "releases whoever holds the lock": { kind: "release", places: [0] },
  "renews a lease whoever's it is by now": { kind: "renew", places: [0, 1] },
};

/** The shipped store, but for the mutant's clauses. */
export function brokenStore(fleet: string, { kind, places }: Mutant): RunStore {
  const options = { client: createDynamoClient(), tableName: String(process.env["ESCAPEMENT_TABLE"]), fleet };
  return {
    async execute(command) {
      const request = requestFor(fleet, command);
      const sent = command.kind === kind ? without(request, places) : request;
      return replyTo(command, sent, await send(sent, options));
    },
  };
}

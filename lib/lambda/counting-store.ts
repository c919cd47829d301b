import type { RunStore } from "../store/index.ts";

/** A store that tells when this process has recorded an attempt, of whatever invocation, as lost. */
export function countingStore(store: RunStore, countLost: (job: string) => void): RunStore {
  return {
    async execute(command) {
      const reply = await store.execute(command);
      if (command.kind === "put-as-seen" && command.record.status === "LOST" && reply.applied) {
        countLost(command.record.job);
      }
      return reply;
    },
  };
}

export { createDynamoClient } from "./client.ts";
export { StoreError, type StoreErrorCode, WriteError, type WriteErrorCode, type WriteReason } from "./errors.ts";
export { createFencedStore, type FencedStore, type TransactItem } from "./fenced-store.ts";
export {
  createFleetRegister,
  type Fleet,
  type FleetJob,
  type FleetRegister,
  fleetJobOf,
  type ListedJob,
  type UnreadableJob,
  type Watch,
} from "./fleet.ts";
export { type GuardableWrite, guardWrite } from "./guard.ts";
export { fleetPartition, jobPartition, PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE } from "./keys.ts";
export { readPauses } from "./pauses.ts";
export { createRunQueries, type JobPage, type RunQueries } from "./queries.ts";
export { createRunStore, perform, type RunStore } from "./run-store.ts";
export type { TableOptions } from "./sender.ts";
export { tableDefinition } from "./table.ts";
export { createWatchStore, type JobAsSeen, type WatchdogNotes, type WatchStore } from "./watch.ts";

export { createDynamoClient } from "./client.ts";
export { StoreError, type StoreErrorCode } from "./errors.ts";
export type { FleetJob, FleetRegister } from "./fleet.ts";
export { fleetPartition, jobPartition, PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE } from "./keys.ts";
export type { JobPage, RunQueries } from "./queries.ts";
export { createRunStore, type Executor, perform, type RunStore } from "./run-store.ts";
export type { TableOptions } from "./sender.ts";
export { tableDefinition } from "./table.ts";

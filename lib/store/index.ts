export { createDynamoClient } from "./client.ts";
export { StoreError, type StoreErrorCode } from "./errors.ts";
export { createFleetRegister, type FleetJob, type FleetRegister, type ListedJob } from "./fleet.ts";
export { fleetPartition, jobPartition, PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE } from "./keys.ts";
export { createRunQueries, type JobPage, type RunQueries } from "./queries.ts";
export { createRunStore, perform, type RunStore } from "./run-store.ts";
export type { TableOptions } from "./sender.ts";
export { tableDefinition } from "./table.ts";

import type { DeployedResource } from "../deployed-stack.ts";
import { deliveryReaders } from "./delivery.ts";
import { functionReaders } from "./functions.ts";
import { storageReaders } from "./storage.ts";
import { watchingReaders } from "./watching.ts";

/**
 * Says what a service has of a resource, without what differs from one deployment to the next.
 * @throws the service's own error where it has no such resource
 */
export type Reader = (resource: DeployedResource) => Promise<unknown>;

/** A reader for each type of resource. */
export const readers: Readonly<Record<string, Reader>> = {
  ...deliveryReaders,
  ...functionReaders,
  ...storageReaders,
  ...watchingReaders,
};

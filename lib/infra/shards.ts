import { hash } from "node:crypto";

/** The most stacks that a fleet can be split into: some 2,500 jobs of seven resources each, with room for uneven parts. */
export const maxShards = 64;

/**
 * The shard of a job or a group, from 1. It depends on the name alone, so that adding a job moves no other; one more shard
 * takes its share from the others and moves nothing between them (rendezvous hashing).
 */
export function shardOf(name: string, shards: number): number {
  let best = { shard: 1, weight: "" };
  for (let shard = 1; shard <= shards; shard++) {
    const weight = hash("sha256", `${shard}/${name}`);
    if (weight > best.weight) best = { shard, weight };
  }
  return best.shard;
}

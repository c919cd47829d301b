import { Violation } from "../simulation/invariants.ts";
import { Moves } from "./moves.ts";
import type { Mutant } from "./process.ts";
import type { Scope } from "./scope.ts";
import { Visited } from "./visited.ts";
import { signature, type World } from "./world.ts";

export interface Explored {
  readonly states: number;
  readonly processes: number;
  readonly violation?: string | undefined;
  /** What led to the violation, step by step. */
  readonly trace: readonly string[];
}

/** Walks every world of a scope, depth first, until there is no new one or an invariant is broken. */
export function explore(scope: Scope, mutant?: Mutant): Explored {
  const moves = new Moves(scope, mutant);
  const visited = new Visited();
  const first = moves.first();
  const open: World[] = [first];
  visited.add(signature(first));
  for (let world = open.pop(); world; world = open.pop()) {
    try {
      for (const next of moves.next(world)) if (visited.add(signature(next))) open.push(next);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      return { ...counts(), violation: error.message, trace: traceOf(world) };
    }
  }
  return { ...counts(), trace: [] };

  function counts() {
    return { states: visited.count, processes: moves.processes.count };
  }
}

function traceOf(last: World): string[] {
  const steps: string[] = [];
  for (let world: World | undefined = last; world; world = world.before) {
    const { tick, by, step } = world;
    const who =
      by && "phase" in by ? `${by.delivery.owner} ${by.delivery.runId} ${by.command?.kind ?? by.phase}: ` : "";
    steps.unshift(`${tick}  ${who}${step}`);
  }
  return steps;
}

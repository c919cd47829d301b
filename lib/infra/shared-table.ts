import { Annotations, Stack } from "aws-cdk-lib";
import type { IConstruct } from "constructs";
import { RunTable } from "./run-table.ts";

/**
 * Warns where a fleet is given a table that another stack of the app uses for its runs: the stages are kept apart by
 * their names in each key, but share capacity, backups and whatever is done to the table as a whole.
 */
export function warnOfSharedTable(fleet: IConstruct, table: RunTable): void {
  const others = fleet.node.root.node
    .findAll()
    .filter((construct) => construct !== fleet && tableOf(construct)?.tableName === table.tableName)
    .map((construct) => Stack.of(construct).stackName);
  if (others.length === 0) return;
  Annotations.of(fleet).addWarningV2(
    "escapement:SHARED_TABLE",
    `The table of ${Stack.of(fleet).stackName} is also that of ${others.join(", ")}. Their runs do not meet, but one mistake with the table is everybody's: give each stage a table of its own.`,
  );
}

/** By shape: a fleet is what has a run table. */
function tableOf(construct: IConstruct): RunTable | undefined {
  const table: unknown = Reflect.get(construct, "table");
  return table instanceof RunTable ? table : undefined;
}

import type { Found } from "./assembly.ts";
import type { IndexDefinition, TableDefinition } from "./definitions.ts";

export function readTable(table: Found): TableDefinition {
  return {
    name: table.arn().slice(table.arn().indexOf("table/") + "table/".length),
    attributes: (table.property("AttributeDefinitions") ?? []) as TableDefinition["attributes"],
    key: (table.property("KeySchema") ?? []) as TableDefinition["key"],
    globalIndexes: indexes(table.property("GlobalSecondaryIndexes")),
    localIndexes: indexes(table.property("LocalSecondaryIndexes")),
  };
}

/** Only what an index is; its capacity and the like are the cloud's business. */
function indexes(value: unknown): IndexDefinition[] {
  return ((value ?? []) as IndexDefinition[]).map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  }));
}

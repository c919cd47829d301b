import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Entry } from "./history.ts";

type Attributes = Record<string, AttributeValue>;
type Json = Record<string, unknown>;

/** What a write that the table has done says in the history: the new state of a job, or the new record of a run. */
export function landed(operation: string, input: Json, output: Json): Entry[] {
  switch (operation) {
    case "PutItem":
      return itemEntries(input["Item"]);
    case "UpdateItem":
      return itemEntries(output["Attributes"]);
    case "TransactWriteItems":
      return (input["TransactItems"] as { Put?: Json }[]).flatMap(({ Put }) => itemEntries(Put?.["Item"]));
    default:
      return [];
  }
}

function itemEntries(attributes: unknown): Entry[] {
  if (!attributes) return [];
  const { pk, sk, status, runId, fence, lease, queue } = unmarshall(attributes as Attributes);
  const [, kind, job = ""] = String(pk).split("#");
  if (kind === "lock") return [{ kind: "state", job: `lock ${job}`, fence, holder: lease?.runId }];
  if (kind !== "job") return [];
  if (sk === "state") return [{ kind: "state", job, fence, holder: lease?.runId, waiting: queue?.length ?? 0 }];
  // Beside the runs there are the operators' entries.
  return status ? [{ kind: "recorded", job, runId, status, fence }] : [];
}

import type { Condition } from "./conditions.ts";
import type { Key } from "./keys.ts";

export type Item = Readonly<Record<string, unknown>>;

/** One request to the table, as data: all that the sender, or a model of the table, has to know. */
export type Request = Get | Query | Update | Put;

/** Always consistent. */
export interface Get {
  readonly kind: "get";
  readonly key: Key;
}

/** One page, consistent, of the sort keys from..to, both included. */
export interface Query {
  readonly kind: "query";
  readonly pk: string;
  readonly from: string;
  readonly to: string;
  readonly descending: boolean;
  readonly limit?: number | undefined;
  /** The page after this sort key. */
  readonly after?: string | undefined;
  readonly filter?: Condition | undefined;
}

export interface Update {
  readonly kind: "update";
  readonly key: Key;
  readonly condition?: Condition | undefined;
  readonly set: Item;
  readonly setIfAbsent?: Item | undefined;
  /** Attributes, or elements of a list: `queue[0]`. */
  readonly remove: readonly string[];
  /** Values for the ends of lists, by attribute; a list that is absent is begun. */
  readonly append?: Item | undefined;
  /** The same for their beginnings. */
  readonly prepend?: Item | undefined;
  /** Counts an attribute up by one, from the given value where it is absent. `copy`: an attribute that gets the same. */
  readonly increment?: { readonly attribute: string; readonly from: number; readonly copy?: string } | undefined;
  /** A new item that is written in one transaction with the update: both, or neither. */
  readonly beside?: (Item & Key) | undefined;
}

export interface Put {
  readonly kind: "put";
  readonly item: Item & Key;
  readonly condition: Condition;
}

export interface Result {
  readonly nowMs: number;
  /** False: the condition did not hold. */
  readonly applied: boolean;
  /** Read; or as an update left it; or as it stands and refused the write. */
  readonly item?: Item | undefined;
  readonly items?: readonly Item[] | undefined;
  /** Of a query: the sort key to go on after. */
  readonly after?: string | undefined;
}

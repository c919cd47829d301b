import { createRequire } from "node:module";
import { promisify } from "node:util";

/** dynalite's own parts, typed. Its server keeps its store to itself, and a transaction needs that. */

/** A request or an answer in DynamoDB's JSON. */
export type Json = Record<string, unknown>;
export type Item = Record<string, Record<string, unknown>>;
export interface Table {
  readonly TableId: string;
}
type Done<T> = (error?: unknown, value?: T) => void;

/** The items of one table or index. */
export interface ItemDb {
  /** Waits for the key, and hands over what wraps a callback so that the key is free again when it is called. */
  lock(
    key: string,
    work: (release: <A extends unknown[]>(done: (...args: A) => void) => (...args: A) => void) => void,
  ): void;
  get(key: string, done: Done<Item>): void;
  put(key: string, item: Item, done: Done<void>): void;
  del(key: string, done: Done<void>): void;
}

export type Change =
  | { readonly type: "put"; readonly key: string; readonly value: unknown }
  | { readonly type: "del"; readonly key: string };

export interface Store {
  /** LevelDB below all tables: a batch is done as a whole or not at all, also when the process is killed. */
  readonly db: {
    get(key: string): Promise<unknown>;
    batch(changes: readonly Change[]): Promise<void>;
    iterator(range: { gte: string; lt: string }): AsyncIterable<[string, unknown]>;
    close(): Promise<void>;
  };
  getTable(name: string, done: Done<Table>): void;
  getItemDb(table: string): ItemDb;
  getIndexDb(kind: string, table: string, index: string): ItemDb;
}

interface Rules {
  create(options: { path?: string | undefined; createTableMs: number; deleteTableMs: number }): Store;
  createKey(item: Item, table: Table): string;
  validateKey(key: Item, table: Table): Fault | undefined;
  validateItem(item: Item, table: Table): Fault | undefined;
  checkConditional(input: Json, item: Item | undefined): Fault | undefined;
}

type Types = Record<string, unknown>;
interface Validation {
  readonly types: Types;
  readonly custom?: (input: Json, store: Store) => string | undefined;
}
interface Validations {
  checkTypes(input: Json, types: Types): Json;
  checkValidations(input: Json, types: Types, custom: Validation["custom"], store: Store): void;
}

/** An error as DynamoDB answers it. */
export interface Fault extends Error {
  readonly statusCode: number;
  readonly body: Json;
}

const require = createRequire(import.meta.url);
const validations = require("dynalite/validations") as Validations;
export const rules = require("dynalite/db") as Rules;

const OPERATIONS = [
  "BatchGetItem",
  "BatchWriteItem",
  "CreateTable",
  "DeleteItem",
  "DeleteTable",
  "DescribeTable",
  "GetItem",
  "ListTables",
  "ListTagsOfResource",
  "PutItem",
  "Query",
  "Scan",
  "TagResource",
  "UntagResource",
  "UpdateItem",
  "UpdateTable",
] as const;
export type Operation = (typeof OPERATIONS)[number];

export function isOperation(name: string): name is Operation {
  return (OPERATIONS as readonly string[]).includes(name);
}

/** Checks a request as DynamoDB does, and drops what it does not know. @throws Fault */
export function check(store: Store, operation: Operation, input: Json): Json {
  const { types, custom } = require(`dynalite/validations/${fileOf(operation)}`) as Validation;
  const checked = validations.checkTypes({ ...input }, types);
  validations.checkValidations(checked, types, custom, store);
  return checked;
}

/** Carries out a checked request. @throws Fault */
export function carryOut(store: Store, operation: Operation, checked: Json): Promise<Json> {
  const action = require(`dynalite/actions/${fileOf(operation)}`) as (s: Store, i: Json, done: Done<Json>) => void;
  return promisify(action)(store, checked) as Promise<Json>;
}

/** @throws Fault ResourceNotFoundException */
export function tableOf(store: Store, name: string): Promise<Table> {
  return promisify(store.getTable)(name) as Promise<Table>;
}

export function readItem(db: ItemDb, key: string): Promise<Item | undefined> {
  return promisify(db.get)(key);
}

export function fault(type: string, message: string, more: Json = {}): Fault {
  return Object.assign(new Error(message), { statusCode: 400, body: { __type: type, message, ...more } });
}

export function isFault(error: unknown): error is Fault {
  return error instanceof Error && "statusCode" in error && "body" in error;
}

/** The fault's name, as the SDK shows it. */
export function faultName({ body }: Fault): string {
  return String(body["__type"]).split("#").at(-1) ?? "";
}

function fileOf(operation: Operation): string {
  return operation.charAt(0).toLowerCase() + operation.slice(1);
}

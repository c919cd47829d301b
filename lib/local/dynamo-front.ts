import type { IncomingMessage, RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { carryOut, check, fault, isFault, isOperation, type Json, rules, type Store } from "./dynalite-parts.ts";
import type { TableFault } from "./faults.ts";
import { type ItemWrite, wantsItem, writeItem } from "./item-writes.ts";
import { Reopening } from "./reopening.ts";
import { describeContinuousBackups, describeTimeToLive, updateTimeToLive } from "./table-settings.ts";
import { createTransactions } from "./transactions.ts";

export interface DynamoFront {
  readonly listener: RequestListener;
  close(): Promise<void>;
}

export interface DynamoFrontOptions {
  /** The folder of the tables. @default in memory */
  readonly path?: string;
  /** Epoch milliseconds: the `Date` of its answers, which leases are judged by. @default Date.now */
  readonly clock?: () => number;
  /** What befalls a request, given its operation and who has signed it. @default nothing */
  readonly drawFault?: DrawFault;
}

export type DrawFault = (operation: string, authorization: string) => TableFault | undefined;

/**
 * DynamoDB's HTTP API over dynalite's tables, with what dynalite lacks: transactions, the item in a failed condition, and
 * the settings of expiry and backups.
 */
export function createDynamoFront(options: DynamoFrontOptions = {}): DynamoFront {
  const { path, clock = Date.now, drawFault = () => undefined } = options;
  const tables = new Reopening(async () => {
    const store = rules.create({ path, createTableMs: 0, deleteTableMs: 0 });
    await openDatabase(store);
    return { operations: operationsOf(store, clock), close: () => store.db.close() };
  });
  const operations: Operations = (name, input) => tables.use((opened) => opened.operations(name, input));
  return {
    close: () => tables.close(),
    async listener(request, response) {
      response.setHeader("Date", new Date(clock()).toUTCString());
      // As DynamoDB's endpoints do.
      if (request.method === "GET") return response.writeHead(200).end("healthy");
      const fault = drawFault(nameOf(request), String(request.headers.authorization));
      const { status, body } = fault === "throttled" ? THROTTLED : await answer(request, operations);
      // Ended, too: whoever waits for its end waits for that.
      if (fault === "lost reply") return response.destroy().end();
      const text = JSON.stringify(body);
      response
        .writeHead(status, {
          "Content-Type": "application/x-amz-json-1.0",
          "Content-Length": Buffer.byteLength(text),
        })
        .end(text);
    },
  };
}

async function openDatabase({ db }: Store): Promise<void> {
  try {
    await db.open();
  } catch (error) {
    // It says only that it failed.
    throw (error as Error).cause ?? error;
  }
}

type Operations = (name: string, input: Json) => Promise<Json>;

function operationsOf(store: Store, clock: () => number): Operations {
  const transactions = createTransactions(store, clock);
  return async (name, input) => {
    switch (name) {
      case "TransactWriteItems":
        return transactions.write(input);
      case "TransactGetItems":
        return transactions.read(input);
      case "UpdateTimeToLive":
        return updateTimeToLive(store, input);
      case "DescribeTimeToLive":
        return describeTimeToLive(store, input);
      case "DescribeContinuousBackups":
        return describeContinuousBackups(store, input);
    }
    if (!isOperation(name)) throw fault("com.amazon.coral.service#UnknownOperationException", `${name} is not known`);
    if (wantsItem(input)) return writeItem(store, name as ItemWrite, input);
    return carryOut(store, name, check(store, name, input));
  };
}

async function answer(request: IncomingMessage, operations: Operations): Promise<{ status: number; body: Json }> {
  try {
    return { status: 200, body: await operations(nameOf(request), await inputOf(request)) };
  } catch (error) {
    if (isFault(error)) return { status: error.statusCode, body: error.body };
    const message = error instanceof Error ? error.message : String(error);
    return { status: 500, body: { __type: "com.amazonaws.dynamodb.v20120810#InternalServerError", message } };
  }
}

function nameOf({ headers }: IncomingMessage): string {
  return String(headers["x-amz-target"]).split(".")[1] ?? "";
}

/** As DynamoDB answers it. */
const THROTTLED = {
  status: 400,
  body: {
    __type: "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
    message: "The level of configured provisioned throughput for the table was exceeded (a fault that was asked for)",
  },
};

async function inputOf(request: IncomingMessage): Promise<Json> {
  const text = (await buffer(request)).toString();
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw fault("com.amazon.coral.service#SerializationException", "The request's body is no JSON");
  }
}

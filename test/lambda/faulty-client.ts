import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

export type RequestFault =
  /** The process dies before the request reaches the table. */
  | "crash-before"
  /** The process dies when the request has been done. */
  | "crash-after"
  /** The request is done and its reply lost; the SDK sends it again. */
  | "lose-reply"
  /** The table cancels the transaction, since another request is at one of its items. */
  | "conflict";

export interface FaultyClient {
  /** What was sent, repetitions included: "UpdateItem", … */
  readonly requests: string[];
  /** Strikes the next requests of this name, so often. */
  strike(name: string, fault: RequestFault, times?: number): void;
  /** Strikes the request of this number, counted from 1, whatever it is. */
  strikeNumber(number: number, fault: RequestFault): void;
  /** Crashed and not yet revived. */
  isDead(): boolean;
  /** A new process: the crash is over. */
  revive(): void;
}

/** Puts faults between a client and its table. */
export function makeFaulty(client: DynamoDBClient): FaultyClient {
  const requests: string[] = [];
  const strikes: { matches(name: string): boolean; fault: RequestFault; times: number }[] = [];
  let crashed = false;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const name = String(context.commandName).replace("Command", "");
      if (crashed) throw new Error("the process is dead");
      requests.push(name);
      const strike = strikes.find(({ matches, times }) => times > 0 && matches(name));
      if (strike) strike.times -= 1;
      crashed = strike?.fault.startsWith("crash") ?? false;
      if (strike?.fault === "crash-before") throw new Error("the process died");
      if (strike?.fault === "conflict") throw conflict();
      const result = await next(args);
      if (strike?.fault === "crash-after") throw new Error("the process died");
      if (strike?.fault === "lose-reply") throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      return result;
    },
    { step: "deserialize", priority: "low", name: "faults" },
  );
  return {
    requests,
    strike: (name, fault, times = 1) => strikes.push({ matches: (given) => given === name, fault, times }),
    strikeNumber: (number, fault) => strikes.push({ matches: () => requests.length === number, fault, times: 1 }),
    isDead: () => crashed,
    revive() {
      crashed = false;
    },
  };
}

function conflict(): Error {
  const CancellationReasons = [{ Code: "None" }, { Code: "None" }, { Code: "TransactionConflict" }];
  return Object.assign(new Error("Transaction cancelled"), {
    name: "TransactionCanceledException",
    CancellationReasons,
  });
}

import { DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Run } from "../../lib/lambda/run.ts";
import { createDynamoClient } from "../../lib/store/index.ts";
import type { Note } from "./history.ts";
import type { Invocation } from "./host.ts";
import type { ChaosJob } from "./jobs.ts";

/** What a run is to do, by attempt; a further one does as the last. */
export interface Input {
  readonly commits: boolean;
  readonly attempts: readonly Plan[];
}

export interface Plan {
  readonly workMs: number;
  /** It throws at its end, after its writes. */
  readonly fails: boolean;
  /** It goes on when it is told to stop. */
  readonly isDeaf: boolean;
}

interface Surroundings extends ChaosJob {
  readonly job: string;
  readonly note: Note;
  /** Of the platform's clock. */
  nowMs(): number;
  invocation(): Invocation;
}

export const EFFECTS_TABLE = "effects";
const TICK_MS = 400;

/** The handler of every job: works for a while, writes to a second table in each fenced way, and says what it does. */
export function createHandler({ job, alone, note, nowMs, invocation }: Surroundings) {
  const db = DynamoDBDocumentClient.from(createDynamoClient());

  return async (run: Run<Input>): Promise<void> => {
    const { id, deadlineMs } = invocation();
    const { commits, attempts } = run.input;
    const { workMs, fails, isDeaf } = attempts[run.attempt - 1] ?? (attempts.at(-1) as Plan);
    const { attempt, fencingToken: fence } = run;
    note({ kind: "start", job, runId: run.id, invocation: id, attempt, fence, atMs: nowMs(), deadlineMs });
    const ticks = setInterval(() => note({ kind: "at-work", invocation: id, atMs: nowMs() }), TICK_MS);
    let how = "returned";
    try {
      await pause(workMs / 2, run.signal, isDeaf);
      await db.send(new UpdateCommand(run.guard(effect("guarded", run))));
      await run.transact([{ Update: effect("transacted", run) }]);
      await run.step("mark", () => note({ kind: "step", job, runId: run.id, invocation: id }));
      note({ kind: "step kept", job, runId: run.id, invocation: id });
      await pause(workMs / 2, run.signal, isDeaf);
      if (commits) await run.commit([{ Update: effect("committed", run) }]);
      if (fails) throw new Error("as planned");
    } catch (error) {
      how = String(error);
      throw error;
    } finally {
      clearInterval(ticks);
      note({ kind: "end", invocation: id, atMs: nowMs(), how });
    }
  };

  /** Adds a line to the effects of this kind: a list, so that their order is the table's. */
  function effect(kind: string, { id, fencingToken, scheduledTime }: Run<Input>) {
    // Fencing tokens grow where one run is at work at a time. A list for some minutes, so that none outgrows an item.
    const list = alone === "job" ? `${job}#${Math.floor(scheduledTime.getTime() / LIST_MS)}` : id;
    return {
      TableName: EFFECTS_TABLE,
      Key: { pk: list, sk: kind },
      UpdateExpression: "SET #job = :job, #list = list_append(if_not_exists(#list, :none), :one)",
      ExpressionAttributeNames: { "#job": "job", "#list": "list" },
      ExpressionAttributeValues: { ":job": job, ":none": [], ":one": [{ runId: id, fence: fencingToken }] },
    };
  }
}

const LIST_MS = 10 * 60_000;

async function pause(delayMs: number, signal: AbortSignal, isDeaf: boolean): Promise<void> {
  if (!isDeaf) signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    if (isDeaf) return;
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  if (!isDeaf) signal.throwIfAborted();
}

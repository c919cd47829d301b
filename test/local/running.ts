import { onTestFinished } from "vitest";
import {
  findRunner,
  type Runner,
  type RunnerEvent,
  type RunnerInfo,
  type RunnerOptions,
  startRunner,
} from "../../lib/local/index.ts";
import { type FunctionFixture, type Resources, writeAssembly } from "./assembly-fixture.ts";
import { tempFolder } from "./temp-folder.ts";

type Kind = RunnerEvent["kind"];
type Event<K extends Kind> = Extract<RunnerEvent, { kind: K }>;

export interface Running {
  readonly runner: Runner;
  readonly info: RunnerInfo;
  readonly stateDir: string;
  /** All that was told so far. */
  readonly told: readonly RunnerEvent[];
  /** Puts an event in a function's queue by the Invoke API and gives its request id. */
  invoke(functionName: string, payload?: unknown): Promise<string>;
  /** Waits for the first event of this kind that fits, from the start of the runner on. */
  heard<K extends Kind>(kind: K, fits?: (event: Event<K>) => boolean): Promise<Event<K>>;
  /** Invokes and waits for the end. */
  finish(functionName: string, payload?: unknown): Promise<Event<"finished">>;
  /** The lines that a function has printed. */
  lines(functionName: string): string[];
}

/** Starts a runner on a hand-made assembly; it ends with the test. */
export async function running(
  functions: Record<string, FunctionFixture>,
  options: Partial<RunnerOptions> & { resources?: Resources } = {},
): Promise<Running> {
  const { resources, ...more } = options;
  const assemblyDir = writeAssembly(functions, resources);
  const stateDir = tempFolder();
  const told: RunnerEvent[] = [];
  const listeners = new Set<() => void>();
  const runner = await startRunner({
    stateDir,
    assemblyDir,
    ...more,
    onEvent: (event) => {
      told.push(event);
      for (const listener of listeners) listener();
    },
  });
  onTestFinished(() => runner.abort());
  const info = (await findRunner(more.stateDir ?? stateDir)) as RunnerInfo;

  const heard: Running["heard"] = (kind, fits = () => true) =>
    new Promise((resolve) => {
      const look = () => {
        const event = told.find(
          (one): one is Event<typeof kind> => one.kind === kind && fits(one as Event<typeof kind>),
        );
        if (!event) return;
        listeners.delete(look);
        resolve(event);
      };
      listeners.add(look);
      look();
    });
  const invoke = async (functionName: string, payload: unknown = {}) => {
    const answer = await post(info, functionName, JSON.stringify(payload));
    return answer.headers.get("x-amzn-requestid") as string;
  };
  return {
    runner,
    info,
    stateDir,
    told,
    invoke,
    heard,
    async finish(functionName, payload) {
      const requestId = await invoke(functionName, payload);
      return heard("finished", (event) => event.requestId === requestId);
    },
    lines: (functionName) =>
      told.flatMap((event) => (event.kind === "log" && event.functionName === functionName ? event.line : [])),
  };
}

/** Calls the Invoke API as a signed request of the SDK looks. */
export function post(
  info: RunnerInfo,
  functionName: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${info.url}/2015-03-31/functions/${functionName}/invocations`, {
    method: "POST",
    body,
    headers: {
      Authorization: `AWS4-HMAC-SHA256 Credential=${info.accessKeyId}/20260501/local/lambda/aws4_request, Signature=0`,
      "X-Amz-Invocation-Type": "Event",
      ...headers,
    },
  });
}

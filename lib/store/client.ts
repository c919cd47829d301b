import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";

/** The five tries together end well within a minute, so that a fault is reported while there is time to report it. */
const MAX_ATTEMPTS = 5;
const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;

/** When the table answered, by output or error. */
const answeredMs = new WeakMap<object, number>();

/**
 * A DynamoDB client as the lock needs it: each request is tried at most 5 times, each try takes at most 3 seconds, and
 * the `Date` header of every answer is kept. Honours `AWS_ENDPOINT_URL_DYNAMODB`, as every AWS SDK client does.
 *
 * @param config overrides, as for `DynamoDBClient`
 */
export function createDynamoClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    ...config,
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        const result = await next(args);
        noteDate(result.output, result.response);
        return result;
      } catch (error) {
        // A failed condition is an answer, too. Not enumerable, which is why it is not spread.
        if (error instanceof Error && "$response" in error) noteDate(error, error.$response);
        throw error;
      }
    },
    { step: "deserialize", priority: "high", name: "keepDate" },
  );
  return client;
}

/**
 * The time of an answer: the earlier of the own clock and the table's, so that a lease is never called expired early
 * because one of the two is ahead.
 *
 * The `Date` header has whole seconds, rounded down; the table's clock said at most 999 ms more. Taking that upper end
 * keeps the own clock's milliseconds while the two agree, and adds at most 999 ms to a skew tolerance of 5 seconds
 * that is then the table's to use up. The header as it stands would make every time a whole second, and runs end
 * before they start.
 */
export function timeOfAnswer(outputOrError: object, ownMs: number): number {
  return Math.min(ownMs, (answeredMs.get(outputOrError) ?? Number.POSITIVE_INFINITY) + 999);
}

function noteDate(outputOrError: object | undefined, response: unknown): void {
  const { headers } = (response ?? {}) as { headers?: Readonly<Record<string, string>> };
  const dateMs = Date.parse(headers?.["date"] ?? "");
  if (outputOrError && !Number.isNaN(dateMs)) answeredMs.set(outputOrError, dateMs);
}

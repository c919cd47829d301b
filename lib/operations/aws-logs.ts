import { CloudWatchLogsClient, FilterLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";
import { GetFunctionConfigurationCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { awsError } from "./aws-errors.ts";
import type { AwsPlace } from "./aws-place.ts";
import { instantText } from "./instants.ts";
import type { LogLine, LogSource } from "./logs.ts";

/** The functions' log groups, of which each function says which is its own. */
export function cloudWatchLogs(place: AwsPlace): LogSource {
  return {
    async read({ functionName, containsAny, sinceMs, limit }) {
      const client = new CloudWatchLogsClient(place);
      const lines: LogLine[] = [];
      try {
        const logGroupName = await logGroupOf(place, functionName);
        let nextToken: string | undefined;
        do {
          const page = await client.send(
            new FilterLogEventsCommand({
              logGroupName,
              filterPattern: containsAny.map((part) => `?"${part.replaceAll('"', '\\"')}"`).join(" ") || undefined,
              startTime: sinceMs,
              nextToken,
            }),
          );
          for (const { logStreamName = "", timestamp, message = "" } of page.events ?? []) {
            const at = timestamp === undefined ? undefined : instantText(timestamp);
            lines.push({ stream: logStreamName, at, text: message.trimEnd() });
          }
          nextToken = page.nextToken;
        } while (nextToken !== undefined);
      } catch (error) {
        if (error instanceof Error && error.name === "ResourceNotFoundException") return [];
        throw awsError(error, `the log of ${functionName} could not be read`);
      } finally {
        client.destroy();
      }
      return lines.slice(-limit);
    },
  };
}

async function logGroupOf(place: AwsPlace, functionName: string): Promise<string | undefined> {
  const client = new LambdaClient(place);
  try {
    const { LoggingConfig } = await client.send(new GetFunctionConfigurationCommand({ FunctionName: functionName }));
    return LoggingConfig?.LogGroup;
  } finally {
    client.destroy();
  }
}

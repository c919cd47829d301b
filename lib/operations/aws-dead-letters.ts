import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { awsError } from "./aws-errors.ts";
import type { AwsPlace } from "./aws-place.ts";
import type { DeadLetter, DeadLetterBox } from "./dead-letters.ts";
import { instantText } from "./instants.ts";

/** For how long nobody else sees a message that was looked at; SQS has no look without receiving. */
const HIDDEN_SECONDS = 30;
const MAX_MESSAGES = 1000;

/** The stack's dead-letter queue. Looking hides a message for 30 seconds; only a resend or a discard removes it. */
export function queueOfDeadLetters(place: AwsPlace, url: string): DeadLetterBox {
  const receipts = new Map<string, string>();
  const client = () => new SQSClient(place);
  return {
    async *read() {
      const sqs = client();
      const seen = new Set<string>();
      try {
        while (seen.size < MAX_MESSAGES) {
          const messages = await receive(sqs, url);
          let isNew = false;
          for (const { MessageId = "", ReceiptHandle = "" } of messages) receipts.set(MessageId, ReceiptHandle);
          for (const message of messages) {
            const { MessageId = "" } = message;
            if (seen.has(MessageId)) continue; // SQS may give one twice, and what stays comes back
            seen.add(MessageId);
            isNew = true;
            yield letterOf(message);
          }
          if (!isNew) return;
        }
      } finally {
        sqs.destroy();
      }
    },

    async remove(id) {
      const sqs = client();
      try {
        await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receipts.get(id) }));
      } catch (error) {
        throw awsError(error, `the dead letter ${id} could not be removed`);
      } finally {
        sqs.destroy();
      }
    },
  };
}

async function receive(sqs: SQSClient, url: string): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: url,
    MaxNumberOfMessages: 10,
    VisibilityTimeout: HIDDEN_SECONDS,
    WaitTimeSeconds: 1,
    MessageAttributeNames: ["All"],
    MessageSystemAttributeNames: ["SentTimestamp"],
  });
  try {
    return (await sqs.send(command)).Messages ?? [];
  } catch (error) {
    throw awsError(error, "the dead-letter queue could not be read");
  }
}

/**
 * Lambda's on-failure record has the event in it; what Scheduler or a rule gave up is the event itself, with the reason in
 * the message's attributes. Scheduler's may not have its context attributes filled in: the message's attributes do.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
function letterOf({ MessageId: id = "", Body: body = "", Attributes, MessageAttributes = {} }: Message): DeadLetter {
  const sentMs = Number(Attributes?.SentTimestamp);
  const at = Number.isNaN(sentMs) ? undefined : instantText(sentMs);
  const text = (name: string) => MessageAttributes[name]?.StringValue;
  const content = parsed(body);
  const { requestContext, requestPayload, responsePayload } = content as Partial<LambdaRecord>;
  if (requestContext) {
    const functionName = requestContext.functionArn.split(":")[6];
    const { errorType = "Error", errorMessage = "" } = responsePayload ?? {};
    const error = { name: errorType, message: errorMessage };
    return {
      id,
      at,
      from: "function",
      functionName,
      condition: requestContext.condition,
      error,
      payload: requestPayload,
    };
  }
  const code = text("ERROR_CODE");
  const why = {
    condition: text("EXHAUSTED_RETRY_CONDITION"),
    error: code === undefined ? undefined : { name: code, message: text("ERROR_MESSAGE") ?? "" },
    functionName: text("TARGET_ARN")?.split(":")[6],
  };
  const scheduledTime = text("SCHEDULED_TIME");
  if (scheduledTime === undefined) return { id, at, from: "rule", ...why, payload: content };
  const { escapement } = content as { escapement?: object };
  const payload = escapement ? { ...content, escapement: { ...escapement, scheduledTime } } : content;
  return { id, at, from: "schedule", ...why, payload };
}

interface LambdaRecord {
  readonly requestContext: { readonly functionArn: string; readonly condition: string };
  readonly requestPayload: unknown;
  readonly responsePayload?: { readonly errorType?: string; readonly errorMessage?: string };
}

function parsed(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : { body };
  } catch {
    return { body };
  }
}

import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Reader } from "./index.ts";

const dynamoDB = new DynamoDBClient();
const sqs = new SQSClient();

/** Tables and queues. */
export const storageReaders: Readonly<Record<string, Reader>> = {
  "AWS::DynamoDB::GlobalTable": async ({ physicalId: TableName }) => {
    const { Table } = await dynamoDB.send(new DescribeTableCommand({ TableName }));
    const { TimeToLiveDescription } = await dynamoDB.send(new DescribeTimeToLiveCommand({ TableName }));
    const { ContinuousBackupsDescription } = await dynamoDB.send(new DescribeContinuousBackupsCommand({ TableName }));
    return {
      id: Table?.TableId,
      keys: Table?.KeySchema,
      attributes: Table?.AttributeDefinitions,
      billing: Table?.BillingModeSummary?.BillingMode,
      encryption: Table?.SSEDescription,
      deletionProtection: Table?.DeletionProtectionEnabled,
      timeToLive: TimeToLiveDescription,
      recovery: ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus,
    };
  },
  "AWS::SQS::Queue": async ({ physicalId }) => {
    const { MessageRetentionPeriod, SqsManagedSseEnabled } = await queueAttributes(physicalId);
    return { MessageRetentionPeriod, SqsManagedSseEnabled };
  },
  "AWS::SQS::QueuePolicy": async ({ properties }) => {
    const { Queues: [queueUrl = ""] = [] } = properties as { Queues?: string[] };
    const { Policy } = await queueAttributes(queueUrl);
    return Policy === undefined ? undefined : JSON.parse(Policy);
  },
};

async function queueAttributes(QueueUrl: string): Promise<Record<string, string>> {
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
  return Attributes;
}

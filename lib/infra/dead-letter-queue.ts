import { Duration, type RemovalPolicy } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

/** Creates the queue of what could not be delivered or failed for good; SQS keeps a message for 14 days at most. */
export function createDeadLetterQueue(scope: Construct, id: string, removalPolicy: RemovalPolicy): Queue {
  return new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    removalPolicy,
  });
}

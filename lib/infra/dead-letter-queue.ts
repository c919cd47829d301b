import { Duration, type RemovalPolicy, Validations } from "aws-cdk-lib";
import type { IGrantable } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { type IQueue, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

/** Creates the queue of what could not be delivered or failed for good; SQS keeps a message for 14 days at most. */
export function createDeadLetterQueue(
  scope: Construct,
  id: string,
  removalPolicy: RemovalPolicy,
  encryptionKey: IKey | undefined,
): Queue {
  const queue = new Queue(scope, id, {
    ...(encryptionKey ? { encryptionMasterKey: encryptionKey } : { encryption: QueueEncryption.SQS_MANAGED }),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    removalPolicy,
  });
  Validations.of(queue).acknowledge({
    id: "AwsSolutions::AwsSolutions-SQS3",
    reason: "It takes the dead letters of EventBridge, its Scheduler and Lambda, which the rule does not see.",
  });
  return queue;
}

/** Lets a sender use the queue's own key, where it has one. */
export function grantKeyOf(queue: IQueue, sender: IGrantable): void {
  queue.encryptionMasterKey?.grant(sender, "kms:Decrypt", "kms:GenerateDataKey");
}

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface FakeAws {
  readonly url: string;
  /** What a stack's outputs are; a stack that is not here does not exist. */
  readonly stacks: Map<string, Record<string, string>>;
  /** Messages of the one queue. */
  readonly messages: Message[];
  readonly logEvents: { logStreamName: string; timestamp: number; message: string }[];
  /** Filter patterns that were asked for. */
  readonly filters: string[];
  readonly schedules: Schedule[];
  readonly alarms: Alarm[];
  /** What IAM's simulation answers; undefined: the caller may not ask. */
  denied?: readonly string[];
  readonly invocations: { functionName: string; payload: unknown }[];
  /** Set: every call is answered with this error. */
  error?: { code: string; message: string };
  /** Set: every call of a table is answered with this one. */
  tableError?: { code: string; message: string };
  close(): Promise<void>;
}

interface Schedule {
  readonly Name: string;
  readonly State: string;
  readonly ScheduleExpression: string;
  readonly ScheduleExpressionTimezone: string;
}

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly ActionsEnabled: boolean;
  readonly AlarmActions: readonly string[];
  readonly StateValue: string;
}

interface Message {
  readonly MessageId: string;
  readonly Body: string;
  readonly Attributes?: Record<string, string>;
  readonly MessageAttributes?: Record<string, { DataType: string; StringValue: string }>;
}

/** As much of CloudFormation, SQS, CloudWatch Logs, STS and Lambda as the operations ask of an account. */
export async function startFakeAws(): Promise<FakeAws> {
  const server = createServer(async (request, response) => {
    const { status, type, body } = answer(aws, request, await text(request));
    response.writeHead(status, { "content-type": type }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const aws: FakeAws = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stacks: new Map(),
    messages: [],
    logEvents: [],
    filters: [],
    schedules: [],
    alarms: [],
    invocations: [],
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return aws;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function answer(aws: FakeAws, { headers, url = "" }: IncomingMessage, body: string): Answer {
  const target = String(headers["x-amz-target"] ?? "");
  const isJson = target !== "" || url.startsWith("/2015-03-31/");
  if (aws.error) return failure(isJson, aws.error);
  if (aws.tableError && target.startsWith("DynamoDB_")) return failure(isJson, aws.tableError);
  const invoked = /^\/2015-03-31\/functions\/([^/]+)\/invocations/.exec(url)?.[1];
  if (invoked !== undefined) {
    aws.invocations.push({ functionName: decodeURIComponent(invoked), payload: JSON.parse(body) });
    return { status: 202, type: "application/json", body: "" };
  }
  const asked = /^\/2015-03-31\/functions\/([^/]+)\/configuration/.exec(url)?.[1];
  if (asked !== undefined) return json({ LoggingConfig: { LogGroup: logGroupOf(decodeURIComponent(asked)) } });
  const scheduled = /^\/schedules\/([^?]+)/.exec(url)?.[1];
  if (scheduled !== undefined) {
    const schedule = aws.schedules.find(({ Name }) => Name === decodeURIComponent(scheduled));
    return schedule
      ? json(schedule)
      : { ...failure(true, { code: "ResourceNotFoundException", message: "" }), status: 404 };
  }
  switch (target) {
    case "GraniteServiceVersion20100801.DescribeAlarms":
      return json({ MetricAlarms: aws.alarms });
    case "AmazonSQS.ReceiveMessage":
      return json({ Messages: hide(aws) });
    case "AmazonSQS.DeleteMessage":
      aws.messages.splice(
        aws.messages.findIndex(({ MessageId }) => body.includes(MessageId)),
        1,
      );
      return json({});
    case "Logs_20140328.FilterLogEvents":
      aws.filters.push(JSON.parse(body).filterPattern ?? "");
      return json({ events: JSON.parse(body).logGroupName === logGroupOf("shop-dev-nightly") ? aws.logEvents : [] });
  }
  const form = new URLSearchParams(body);
  if (form.get("Action") === "GetCallerIdentity") {
    const arn = "arn:aws:sts::123456789012:assumed-role/Operator/ada";
    return xml(
      `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>${arn}</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>`,
    );
  }
  if (form.get("Action") === "SimulatePrincipalPolicy") return simulation(aws, form);
  const name = form.get("StackName") ?? "";
  const outputs = aws.stacks.get(name);
  if (!outputs) return failure(false, { code: "ValidationError", message: `Stack with id ${name} does not exist` });
  const members = Object.entries(outputs)
    .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
    .join("");
  return xml(
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><CreationTime>2026-05-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
}

function simulation({ denied }: FakeAws, form: URLSearchParams): Answer {
  if (!denied)
    return failure(false, { code: "AccessDenied", message: "not authorized to perform: iam:SimulatePrincipalPolicy" });
  if (form.get("PolicySourceArn") !== "arn:aws:iam::123456789012:role/Operator") {
    return failure(false, { code: "NoSuchEntity", message: "there is no such principal" });
  }
  const action = form.get("ActionNames.member.1") ?? "";
  const decision = denied.includes(action) ? "implicitDeny" : "allowed";
  const result = `<member><EvalActionName>${action}</EvalActionName><EvalDecision>${decision}</EvalDecision></member>`;
  return xml(
    `<SimulatePrincipalPolicyResponse><SimulatePrincipalPolicyResult><IsTruncated>false</IsTruncated><EvaluationResults>${result}</EvaluationResults></SimulatePrincipalPolicyResult></SimulatePrincipalPolicyResponse>`,
  );
}

/** As CloudFormation names it: by the stack and the logical id, and not `/aws/lambda/<function>`. */
function logGroupOf(functionName: string): string {
  return `Shop-${functionName}-Logs`;
}

/** As SQS: a message that was received is not given again while it is hidden. */
const hidden = new WeakSet<Message>();
function hide({ messages }: FakeAws) {
  const visible = messages.filter((message) => !hidden.has(message)).slice(0, 10);
  for (const message of visible) hidden.add(message);
  return visible.map((message) => ({
    ...message,
    ReceiptHandle: `receipt-${message.MessageId}`,
    MD5OfBody: md5(message.Body),
  }));
}

function md5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

function json(value: object): Answer {
  return { status: 200, type: "application/x-amz-json-1.0", body: JSON.stringify(value) };
}

function xml(body: string): Answer {
  return { status: 200, type: "text/xml", body };
}

function failure(isJson: boolean, { code, message }: { code: string; message: string }): Answer {
  if (isJson)
    return { status: 400, type: "application/x-amz-json-1.0", body: JSON.stringify({ __type: code, message }) };
  const error = `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
  return { status: 400, type: "text/xml", body: error };
}

import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import type { EndedAttempt } from "./announce.ts";

/**
 * Adds an attempt to the trace of its invocation, as a subsegment whose annotations are `job`, `runId` and `attempt`. Sends
 * nothing where the invocation is not traced.
 *
 * It is one datagram to the daemon that Lambda runs beside the function. Powertools' tracer would add a fifth to a job's bundle.
 *
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html
 */
export async function traceAttempt(attempt: EndedAttempt, variables = process.env): Promise<void> {
  const daemon = /^(.+):(\d+)$/.exec(variables["AWS_XRAY_DAEMON_ADDRESS"] ?? "");
  const document = segmentDocument(attempt, variables["_X_AMZN_TRACE_ID"]);
  if (!daemon || !document) return;
  const [, host, port] = daemon;
  const socket = createSocket("udp4");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.send(`{"format":"json","version":1}\n${document}`, Number(port), host, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  } finally {
    socket.close();
  }
}

/** @param header as Lambda gives it: `Root=1-…;Parent=…;Sampled=1` */
function segmentDocument(attempt: EndedAttempt, header = ""): string | undefined {
  const fields = new Map(header.split(";").map((part) => part.split("=", 2) as [string, string]));
  const [root, parent] = [fields.get("Root"), fields.get("Parent")];
  if (!root || !parent || fields.get("Sampled") !== "1") return undefined;
  const { job, runId, attempt: number, status, startedMs, endedMs, error } = attempt;
  return JSON.stringify({
    type: "subsegment",
    id: randomBytes(8).toString("hex"),
    trace_id: root,
    parent_id: parent,
    name: job,
    start_time: startedMs / 1000,
    end_time: endedMs / 1000,
    // A run that was asked to stop, and did, is no fault.
    fault: status !== "SUCCEEDED" && status !== "CANCELLED",
    annotations: { job, runId, attempt: number },
    metadata: { escapement: { status, error } },
  });
}

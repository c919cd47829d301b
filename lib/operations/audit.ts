import type { AuditEntry, OperatorAction } from "../run/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { instantText } from "./instants.ts";
import { wholeNumber } from "./numbers.ts";

/** What an operator did to a job. */
export interface AuditView {
  readonly at: string;
  readonly action: OperatorAction;
  readonly by: string;
  readonly reason?: string | undefined;
  /** What was acted on, in words. */
  readonly detail?: string | undefined;
  /** Of a pause: when it ends by itself. */
  readonly until?: string | undefined;
}

export interface AuditQuery {
  /** 1–1,000; default 20. */
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 20;

export async function listAudit(backend: Backend, name: string, query: AuditQuery = {}): Promise<AuditView[]> {
  const limit = wholeNumber("limit", query.limit ?? DEFAULT_LIMIT);
  await findJob(backend, name);
  return (await backend.records.listAudit(name, { limit })).map(auditView);
}

export function auditView({ atMs, action, by, reason, detail, untilMs }: AuditEntry): AuditView {
  const until = untilMs === undefined ? undefined : instantText(untilMs);
  return { at: instantText(atMs), action, by, reason, detail, until };
}

export const OPERATOR_ACTIONS = ["pause", "resume", "unlock", "cancel", "backfill", "resend", "discard"] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** One action of an operator, kept for those who ask later. */
export interface AuditEntry {
  readonly job: string;
  /** Unique beside its time. */
  readonly id: string;
  readonly atMs: number;
  readonly action: OperatorAction;
  readonly by: string;
  readonly reason?: string | undefined;
  /** What was acted on, in words: the run that held the lock, the range of a backfill. */
  readonly detail?: string | undefined;
  /** Of a pause: when it ends by itself. */
  readonly untilMs?: number | undefined;
  /** From then on the table may remove the entry. */
  readonly expiresAtMs: number;
}

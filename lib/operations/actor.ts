import { randomUUID } from "node:crypto";
import type { Operator } from "../run/index.ts";
import type { ListedJob } from "../store/index.ts";
import { OperationError } from "./errors.ts";

/** Who acts, and why: kept with what they did. */
export interface Actor {
  /** 1 to 256 characters. */
  readonly by: string;
  /** 1 to 512 characters. */
  readonly reason?: string | undefined;
}

/** Who acts on what cannot be told from the records later: they have to say why. */
export type ActorWithReason = Actor & { readonly reason: string };

const LIMITS = { by: 256, reason: 512 } as const;

/** @throws OperationError `INVALID_INPUT` */
export function operatorOf<A extends Actor>(actor: A, { retentionMs }: ListedJob): Operator & A {
  checkActor(actor);
  return { ...actor, id: shortId(), retentionMs };
}

/** @throws OperationError `INVALID_INPUT` */
export function checkActor({ by, reason }: Actor): void {
  checkText("by", by);
  if (reason !== undefined) checkText("reason", reason);
}

/** Unique beside its millisecond, and short enough to be typed. */
export function shortId(): string {
  return randomUUID().slice(0, 8);
}

function checkText(name: keyof typeof LIMITS, text: string): void {
  const { length } = text.trim();
  if (length >= 1 && text.length <= LIMITS[name]) return;
  throw new OperationError(
    "INVALID_INPUT",
    `the text of "${name}" has ${text.length} characters; 1 to ${LIMITS[name]} are allowed, not only spaces`,
  );
}

import type { Backend } from "./backend.ts";
import { OperationError } from "./errors.ts";

/** @throws OperationError `NOT_RUNNING` where no function can be invoked */
export function requireInvoke({ invoke, target }: Backend): NonNullable<Backend["invoke"]> {
  if (invoke) return invoke;
  const place = target.kind === "local" ? target.stateDir : target.stack;
  throw new OperationError(
    "NOT_RUNNING",
    `no runner is running on ${place}, so nothing can be started; start one with: npm start`,
  );
}

import { OperationError } from "./errors.ts";

const MAX = 1000;

/** @throws OperationError `INVALID_INPUT` unless it is a whole number from 1 to 1,000 */
export function wholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX) return value;
  throw new OperationError("INVALID_INPUT", `${name} is ${value}; a whole number from 1 to ${MAX} is allowed`);
}

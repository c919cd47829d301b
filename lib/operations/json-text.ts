import { OperationError } from "./errors.ts";

/** All that matters of a text that is JSON: its texts, of which keys have a colon behind them, numbers, objects. */
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*|[{}]/g;

/**
 * Reads JSON, and refuses what reading it loses without a word: a number that JavaScript does not hold as it is written,
 * and a key that an object has twice, of which the last would count.
 *
 * @param source what the text is, for people: `--input`
 * @throws OperationError `INVALID_INPUT`
 */
export function parseJson(text: string, source: string): unknown {
  const value = parsed(text, source);
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (string === undefined) checkNumber(token, source);
    else if (colon) checkKey(string, open.at(-1) ?? new Set(), source);
  }
  return value;
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperationError("INVALID_INPUT", `${source} is no JSON: ${(error as Error).message}`);
  }
}

/** A fraction is rounded to what a number holds, as everywhere; a whole number would be another one. */
function checkNumber(token: string, source: string): void {
  const number = Number(token);
  const [digits = ""] = token.split(/e/i);
  const isWhole = /^-?\d+$/.test(token);
  const isTooSmall = number === 0 && /[1-9]/.test(digits);
  if (Number.isFinite(number) && !isTooSmall && (!isWhole || Number.isSafeInteger(number))) return;
  const max = Number.MAX_SAFE_INTEGER;
  throw new OperationError(
    "INVALID_INPUT",
    `${source} has the number ${shortened(token)}, which the handler would get as ${JSON.stringify(number)}; whole numbers from -${max} to ${max} and fractions up to 1.8e308 are allowed. Give it as a text.`,
  );
}

function checkKey(string: string, keys: Set<string>, source: string): void {
  const key = JSON.parse(string) as string;
  if (!keys.has(key)) {
    keys.add(key);
    return;
  }
  throw new OperationError(
    "INVALID_INPUT",
    `${source} has an object with the key ${shortened(string)} twice, of which the handler would get the last one; leave one out.`,
  );
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

import { likelyWallClocks, parseAt } from "./at.ts";
import { type Cron, parseCron } from "./cron.ts";
import { cronText } from "./cron-text.ts";
import { firstAccepted, located, ScheduleError } from "./errors.ts";
import { likelyCrons } from "./likely-crons.ts";
import { likelyRates, parseRate, type Rate, rateText } from "./rate.ts";
import { shown } from "./shown.ts";

/** A schedule expression that has been read, and its strict form. */
export type Expression =
  | { readonly kind: "cron"; readonly expression: string; readonly cron: Cron }
  | { readonly kind: "rate"; readonly expression: string; readonly rate: Rate }
  | {
      readonly kind: "at";
      readonly expression: string;
      /** The wall-clock reading of the one occurrence. */
      readonly readingMs: number;
    };

const LONGEST_EXPRESSION = 256;

/** Reads `cron(...)`, `rate(...)` or `at(...)`. */
export function parseExpression(expression: unknown): Expression {
  if (typeof expression !== "string") {
    const message = `the schedule expression must be text, cron(...), rate(...) or at(...), not ${shown(expression)}`;
    throw new ScheduleError("expression", expression, message);
  }
  if (expression.length > LONGEST_EXPRESSION) {
    const message = `the expression has ${expression.length} characters; AWS allows ${LONGEST_EXPRESSION}`;
    throw new ScheduleError("expression", expression, message);
  }
  const [, form, body = ""] = /^(cron|rate|at)\((.*)\)$/s.exec(expression) ?? [];
  if (form === undefined) throw bareText(expression);
  return located(expression, () => PARSERS[form as Form](body));
}

type Form = Expression["kind"];

const PARSERS: Readonly<Record<Form, (body: string) => Expression>> = {
  cron: (body) => {
    const cron = parseCron(body);
    return { kind: "cron", expression: cronText(cron.texts), cron };
  },
  rate: (body) => {
    const rate = parseRate(body);
    return { kind: "rate", expression: rateText(rate.value, rate.unit), rate };
  },
  at: (body) => ({ kind: "at", expression: `at(${body})`, readingMs: parseAt(body) }),
};

/** What may stand between the parentheses where something else was written. */
const LIKELY_BODIES: Readonly<Record<Form, (text: string) => string[]>> = {
  cron: likelyCrons,
  rate: likelyRates,
  at: likelyWallClocks,
};

function bareText(expression: string): ScheduleError {
  const meant = firstAccepted(likelyExpressions(expression), parseExpression);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  const message = `${shown(expression)} must be written as cron(...), rate(...) or at(...)${hint}`;
  return new ScheduleError("expression", expression, message);
}

function likelyExpressions(text: string): string[] {
  // The form may be there, with a parenthesis too many or missing, or in capitals.
  const [, form, body = text] = /^\s*(cron|rate|at)\b[\s(]*(.*?)[\s)]*$/is.exec(text) ?? [];
  const forms = form === undefined ? (["cron", "rate", "at"] as const) : [form.toLowerCase() as Form];
  return forms.flatMap((any) => [body.trim(), ...LIKELY_BODIES[any](body)].map((likely) => `${any}(${likely})`));
}

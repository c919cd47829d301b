/** A small evaluator of IAM's identity policies: what the tests need of it, and a refusal of anything else. */

export interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface Access {
  /** `dynamodb:GetItem` */
  readonly action: string;
  /** As a template has it: compared as it stands. */
  readonly resource: unknown;
  /** The request's values of the condition keys; none where it lacks the key. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

/** Whether the statements allow the access: one that allows it, and none that denies it. */
export function allows(statements: readonly Statement[], access: Access): boolean {
  const matching = statements.filter((statement) => matches(statement, access));
  return matching.length > 0 && matching.every(({ Effect }) => Effect === "Allow");
}

function matches({ Action, Resource, Condition = {} }: Statement, access: Access): boolean {
  const resources = Array.isArray(Resource) ? Resource : [Resource];
  return (
    listOf(Action).includes(access.action) &&
    resources.some((resource) => JSON.stringify(resource) === JSON.stringify(access.resource)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, expected]) => holds(operator, key, listOf(expected), access.context)),
    )
  );
}

function holds(operator: string, key: string, expected: readonly string[], context: Access["context"]): boolean {
  const actual = context[key];
  if (actual === undefined) throw new Error(`The condition key ${key} is not known here`);
  const test = operators[operator];
  if (!test) throw new Error(`The operator ${operator} is not known here`);
  return test(actual, expected);
}

const operators: Record<string, (actual: readonly string[], expected: readonly string[]) => boolean> = {
  "ForAllValues:StringEquals": (actual, expected) => actual.every((value) => expected.includes(value)),
  "ForAllValues:StringLike": (actual, expected) =>
    actual.every((value) => expected.some((pattern) => isLike(value, pattern))),
  Null: (actual, [isAbsent]) => (actual.length === 0) === (isAbsent === "true"),
};

function isLike(value: string, pattern: string): boolean {
  const expression = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${expression.join(".*")}$`, "s").test(value);
}

function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

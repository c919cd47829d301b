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
  /** The partition keys of the request. */
  readonly leadingKeys: readonly string[];
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
    Object.entries(Condition).every(([operator, keys]) => holds(operator, keys, access.leadingKeys))
  );
}

function holds(
  operator: string,
  keys: Readonly<Record<string, string | readonly string[]>>,
  actual: readonly string[],
) {
  const [[key, allowed] = []] = Object.entries(keys);
  if (key !== "dynamodb:LeadingKeys" || allowed === undefined)
    throw new Error(`The condition key ${key} is not known here`);
  const test = operators[operator];
  if (!test) throw new Error(`The operator ${operator} is not known here`);
  return actual.every((value) => listOf(allowed).some((pattern) => test(value, pattern)));
}

const operators: Record<string, (value: string, pattern: string) => boolean> = {
  "ForAllValues:StringEquals": (value, pattern) => value === pattern,
  "ForAllValues:StringLike": (value, pattern) => {
    const expression = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
    return new RegExp(`^${expression.join(".*")}$`, "s").test(value);
  },
};

function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

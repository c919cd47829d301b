import type { Condition } from "./conditions.ts";
import type { Update } from "./request.ts";

/** The text of an expression with the names and values it refers to. Every name is aliased: many are reserved words. */
export class Expressions {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  condition(condition: Condition): string {
    if ("allOf" in condition) return this.#join(condition.allOf, " AND ");
    if ("anyOf" in condition) return this.#join(condition.anyOf, " OR ");
    if ("absent" in condition) return `attribute_not_exists(${this.name(condition.absent)})`;
    if ("sizeOf" in condition) return `size(${this.name(condition.sizeOf)}) = ${this.value(condition.value)}`;
    if ("present" in condition) return `attribute_exists(${this.name(condition.present)})`;
    const path = this.name(condition.path);
    if ("oneOf" in condition) return `${path} IN (${condition.oneOf.map((value) => this.value(value)).join(", ")})`;
    return `${path} ${condition.is} ${this.value(condition.value)}`;
  }

  update({ set, setIfAbsent = {}, remove, append = {}, prepend = {}, increment }: Update): string {
    const given = Object.entries(set).filter(([, value]) => value !== undefined);
    const sets = given.map(([name, value]) => `${this.name(name)} = ${this.value(value)}`);
    for (const [name, value] of Object.entries(setIfAbsent)) sets.push(this.#setIfAbsent(name, value));
    for (const [name, value] of Object.entries(append))
      sets.push(`${this.name(name)} = list_append(${this.#listAt(name)}, ${this.value([value])})`);
    for (const [name, value] of Object.entries(prepend))
      sets.push(`${this.name(name)} = list_append(${this.value([value])}, ${this.#listAt(name)})`);
    if (increment) sets.push(...this.#increment(increment));
    const removes = remove.map((name) => this.name(name));
    return [sets.length > 0 && `SET ${sets.join(", ")}`, removes.length > 0 && `REMOVE ${removes.join(", ")}`]
      .filter(Boolean)
      .join(" ");
  }

  name(path: string): string {
    const aliases = path.split(".").map((step) => {
      const [name = step] = step.split("[");
      this.names[`#${name}`] = name;
      return `#${step}`;
    });
    return aliases.join(".");
  }

  value(value: unknown): string {
    const alias = `:v${Object.keys(this.values).length}`;
    this.values[alias] = value;
    return alias;
  }

  #increment({ attribute, from, copy }: NonNullable<Update["increment"]>): string[] {
    const next = `if_not_exists(${this.name(attribute)}, ${this.value(from)}) + ${this.value(1)}`;
    return [attribute, ...(copy ? [copy] : [])].map((name) => `${this.name(name)} = ${next}`);
  }

  #listAt(name: string): string {
    return `if_not_exists(${this.name(name)}, ${this.value([])})`;
  }

  #setIfAbsent(name: string, value: unknown): string {
    const alias = this.name(name);
    return `${alias} = if_not_exists(${alias}, ${this.value(value)})`;
  }

  #join(conditions: readonly Condition[], operator: string): string {
    const text = conditions.map((condition) => this.condition(condition)).join(operator);
    // DynamoDB refuses parentheses within parentheses that hold nothing else.
    return conditions.length > 1 ? `(${text})` : text;
  }
}

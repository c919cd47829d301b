import { type AssemblyFiles, badAssembly, type Resource, readAssemblyJson, type Template } from "./assembly-files.ts";
import { resolveValue, type Scope } from "./intrinsics.ts";

/** One scope per stack and per nested stack, linked so that references among them resolve. */
export function openScopes(files: AssemblyFiles, warn: (message: string) => void): Scope[] {
  const scopes: Scope[] = [];
  const imports = (name: string): unknown => {
    for (const scope of scopes) {
      for (const output of Object.values(scope.template.Outputs ?? {})) {
        if (output.Export && resolveValue(scope, output.Export.Name) === name) return resolveValue(scope, output.Value);
      }
    }
    warn(`The import "${name}" is exported by no stack of this assembly; its value is left out.`);
    return undefined;
  };

  const outputs = (stackName: string, name: string): unknown => {
    const scope = scopes.find((candidate) => candidate.stackName === stackName);
    const output = scope?.template.Outputs?.[name];
    if (scope && output) return resolveValue(scope, output.Value);
    warn(`The stack ${stackName} of this assembly has no output "${name}"; its value is left out.`);
    return undefined;
  };

  const open = (stackName: string, template: Template, given: Record<string, unknown>): Scope => {
    const defaults = Object.entries(template.Parameters ?? {}).map(([name, parameter]) => [name, parameter.Default]);
    const parameters = { ...Object.fromEntries(defaults), ...given };
    const scope: Scope = { stackName, template, parameters, nested: new Map(), imports, outputs, warn };
    scopes.push(scope);
    for (const [id, resource] of Object.entries(template.Resources ?? {})) {
      if (resource.Type === "AWS::CloudFormation::Stack") scope.nested.set(id, openNested(scope, id, resource));
    }
    return scope;
  };

  const openNested = (parent: Scope, id: string, resource: Resource): Scope => {
    const url = String(resolveValue(parent, resource.Properties?.["TemplateURL"]));
    const path = files.assetPaths.get(url.slice(url.lastIndexOf("/") + 1));
    if (!path)
      throw badAssembly(
        `${parent.stackName}: the template of the nested stack ${id} (${url}) is not among the assets.`,
      );
    const parameters = resolveValue(parent, resource.Properties?.["Parameters"] ?? {}) as Record<string, unknown>;
    return open(`${parent.stackName}-${id}`, readAssemblyJson<Template>(path), parameters);
  };

  for (const stack of files.stacks) open(stack.name, stack.template, {});
  return scopes;
}

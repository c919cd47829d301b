import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

/** For each part of lib/: the parts it may import, and the packages it may import (`node:` stands for Node's own). */
const allowed: Record<string, { parts: string[]; packages: RegExp }> = {
  schedule: { parts: [], packages: /^$/ },
  run: { parts: ["schedule"], packages: /^$/ },
  store: { parts: ["run", "schedule"], packages: /^(@aws-sdk|@smithy)\/|^node:|^valibot$/ },
  lambda: {
    parts: ["run", "store", "schedule"],
    packages: /^(?!aws-cdk-lib|constructs|dynalite|hono|commander|esbuild)/,
  },
  infra: { parts: ["lambda", "store", "schedule"], packages: /^(aws-cdk-lib|constructs|esbuild|node:)/ },
  local: { parts: ["schedule", "run", "store"], packages: /^(?!aws-cdk-lib|constructs|commander)/ },
  operations: { parts: ["store", "run", "schedule", "local"], packages: /^(?!aws-cdk-lib|constructs|commander)/ },
  dashboard: {
    parts: ["operations", "run", "schedule"],
    packages: /^(?!aws-cdk-lib|constructs|commander|@aws-sdk|dynalite)/,
  },
  // Runs in the browser: nothing of Node, and of other parts their types alone.
  "dashboard/page": { parts: [], packages: /^(preact|@preact\/signals|d3-scale|d3-time)(\/|$)/ },
  cli: { parts: ["operations", "local", "dashboard"], packages: /^(?!aws-cdk-lib|constructs|@aws-sdk|dynalite)/ },
};

const root = join(import.meta.dirname, "../..");
const files = readdirSync(join(root, "lib"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(tsx?|mjs)$/.test(file) && file.includes("/"))
  .map((file) => join("lib", file));

describe("who may import whom", () => {
  test.each(files)("%s", (file) => {
    const part = partOf(file);
    const rule = allowed[part];
    expect(rule, `lib/${part}/ has no rule in this test: add one that fits docs/design.md`).toBeDefined();
    for (const imported of importsOf(file)) {
      const target = imported.startsWith(".") ? partOf(normalize(join(dirname(file), imported))) : undefined;
      const fine = target ? target === part || rule?.parts.includes(target) : rule?.packages.test(imported);
      expect(
        fine,
        `${file} imports "${imported}". lib/${part} may import: ${["itself", ...(rule?.parts ?? [])].join(", ")}, and packages like ${rule?.packages}`,
      ).toBe(true);
    }
  });

  test("only lib/infra and bin/app.ts know the CDK", () => {
    const knowing = [...files, "bin/escapement.ts", "lib/index.ts"].filter((file) =>
      importsOf(file).some((imported) => /^(aws-cdk-lib|constructs)/.test(imported)),
    );
    expect(knowing.filter((file) => !file.startsWith("lib/infra/"))).toEqual([]);
  });
});

function partOf(file: string): string {
  const [, part = "", folder] = file.split("/");
  return `${part}/${folder}` in allowed ? `${part}/${folder}` : part;
}

function importsOf(file: string): string[] {
  const source = partOf(file) === "dashboard/page" ? withoutTypes(file) : readFileSync(join(root, file), "utf8");
  const found = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;"']*?from\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s*"([^"]+)"/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3]).filter((name) => name !== undefined);
}

function withoutTypes(file: string): string {
  return readFileSync(join(root, file), "utf8").replace(/^(import|export) type [^;]*;$/gm, "");
}

test("what is published installs what it imports", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies: object };
  // Node's own; the CDK, which the user's app brings; types alone; and what the scaffold's files import.
  const notOurs = /^(node:|aws-cdk-lib|constructs|aws-lambda$|escapement(\/|$))/;
  const packages = files
    .filter((file) => partOf(file) !== "dashboard/page")
    .flatMap(importsOf)
    .filter((name) => !name.startsWith(".") && !notOurs.test(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  expect([...new Set(packages)].filter((name) => !(name in dependencies)).sort()).toEqual([]);
});

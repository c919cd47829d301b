import { describe, expect, test } from "vitest";
import { commandLine, quoted } from "../../lib/cli/command-line.ts";

describe("a command to paste", () => {
  test("acts on the stack that this one acts on", () => {
    const place = { stateDir: ".escapement", stack: "Shop-prod", region: "eu-central-1", profile: "op erator" };
    expect(commandLine("runs nightly", place)).toMatch(
      / runs nightly --stack Shop-prod --region eu-central-1 --profile "op erator"$/,
    );
  });

  test("acts on the folder that this one acts on, and does not name the one that is meant anyway", () => {
    expect(commandLine("runs nightly", { stateDir: "/tmp/it's $HOME" })).toMatch(
      / runs nightly --state-dir '\/tmp\/it'\\''s \$HOME'$/,
    );
    expect(commandLine("runs nightly", { stateDir: ".escapement" })).toMatch(/ runs nightly$/);
  });

  test("holds a run id in quotes, since a # begins a comment", () => {
    expect(quoted("2026-05-02T00:30:00.000Z#default")).toBe('"2026-05-02T00:30:00.000Z#default"');
  });
});

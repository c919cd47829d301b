import { describe, expect, test } from "vitest";
import { readCdkProject } from "../../lib/local/cdk-project.ts";
import { inFolder } from "./in-folder.ts";

describe("the CDK app of a folder", () => {
  test("has the context of cdk.json before that of cdk.context.json, and both before its user's", () => {
    inFolder({
      "cdk.json": JSON.stringify({ app: "npx tsx app.ts", context: { a: "project" }, versionReporting: false }),
      "cdk.context.json": JSON.stringify({ a: "kept", b: "kept" }),
      "home/.cdk.json": JSON.stringify({ context: { a: "user", b: "user", c: "user" }, pathMetadata: false }),
    });
    expect(readCdkProject()).toEqual({
      commands: ["npx tsx app.ts"],
      context: {
        a: "project",
        b: "kept",
        c: "user",
        "aws:cdk:enable-asset-metadata": true,
        "aws:cdk:disable-version-reporting": true,
        "aws:cdk:bundling-stacks": ["**"],
      },
    });
  });

  test("is built first where cdk.json says how, and a script of JavaScript is run by Node", () => {
    inFolder({ "cdk.json": JSON.stringify({ app: "app.js --fast", build: "npm run build" }), "app.js": "" });
    expect(readCdkProject().commands).toEqual(["npm run build", `"${process.execPath}" app.js --fast`]);
  });

  test.each([
    ["no cdk.json", {}, /^There is no cdk\.json in .*name a cloud assembly with --assembly\.$/],
    ["a cdk.json that is cut off", { "cdk.json": '{"app":' }, /^cdk\.json cannot be read: /],
    ["a cdk.json without an app", { "cdk.json": "{}" }, /^cdk\.json names no app\./],
    [
      "a folder as its app",
      { "cdk.json": '{"app":"out"}', "out/manifest.json": "{}" },
      /a cloud assembly\. Name it with --assembly out\.$/,
    ],
  ])("with %s is refused, with the way out", (_what, files, message) => {
    inFolder(files);
    expect(() => readCdkProject()).toThrow(
      expect.objectContaining({ code: "SYNTH_FAILED", exitCode: 2, message: expect.stringMatching(message) }),
    );
  });
});

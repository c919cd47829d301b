import { RemovalPolicy } from "aws-cdk-lib";
import { Annotations, Match } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { isEnabled, removalPolicyOf } from "../../lib/infra/stages.ts";
import { aJob, anApp } from "./fleet.ts";

function stackOf(props: { readonly stage: unknown; readonly enabledStages?: unknown }): ScheduledFunctionsStack {
  return new ScheduledFunctionsStack(anApp(), "Escapement-any", { ...props, jobs: [aJob("nightly")] } as never);
}

describe("a stage", () => {
  test.each(["preview", "Preview", "PREVIEW-42", "preview_42", "preview/42", "previews"])(
    "that begins with preview, however it is spelled, runs nothing unasked and goes with its stack: %s",
    (stage) => {
      expect([isEnabled({ stage }), removalPolicyOf({ stage })]).toEqual([false, RemovalPolicy.DESTROY]);
    },
  );

  test.each(["dev", "Dev"])("for development runs its schedules and goes with its stack: %s", (stage) => {
    expect([isEnabled({ stage }), removalPolicyOf({ stage })]).toEqual([true, RemovalPolicy.DESTROY]);
  });

  test.each(["prod", "development", "my-preview"])("of any other name runs its schedules and is kept: %s", (stage) => {
    expect([isEnabled({ stage }), removalPolicyOf({ stage })]).toEqual([true, RemovalPolicy.RETAIN]);
  });

  test("is among the enabled ones however it is spelled", () => {
    expect(isEnabled({ stage: "prod", enabledStages: ["Prod"] })).toBe(true);
    expect(isEnabled({ stage: "prod", enabledStages: ["production"] })).toBe(false);
  });

  test.each([undefined, null, "", " preview", "prod ", 7, [["prod"]]])(
    "is refused where it is no name: %j",
    (stage) => {
      expect(() => stackOf({ stage })).toThrow(
        /^Escapement-any: stage is .*\. Allowed: a name without spaces, such as "dev", "prod" or "preview-42"\.$/,
      );
    },
  );

  test.each([[null], ["production"], [["prod", ""]], [[undefined]]])(
    "is not looked for in what is no list of names: %j",
    (enabledStages) => {
      expect(() => stackOf({ stage: "prod", enabledStages })).toThrow(
        /^Escapement-any: enabledStages is .*\. Allowed: a list of stages, such as \["prod"\]\.$/,
      );
    },
  );

  test("that is not enabled says so at synthesis, with those that are", () => {
    const said = (stage: string) =>
      Annotations.fromStack(stackOf({ stage, enabledStages: ["prdo"] }))
        .findInfo("/Escapement-any", Match.stringLikeRegexp("SCHEDULES_OFF"))
        .map(({ entry }) => entry.data);
    expect(said("prod")).toEqual([
      'The schedules are off in the stage "prod": enabledStages has prdo. Its jobs run on request. [ack: escapement:SCHEDULES_OFF]',
    ]);
    expect(said("prdo")).toEqual([]);
  });
});

import { Stack } from "aws-cdk-lib";
import type { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { expect, test } from "vitest";
import { METRIC_NAMESPACE, METRICS } from "../../lib/lambda/metrics.ts";
import { aJob, aStack } from "./fleet.ts";

const { fleet } = aStack([aJob("nightly")]);
const job = fleet.job("nightly");

/** What the methods take that need to be told something. */
const told: Readonly<Record<string, unknown>> = { metricRuns: "FAILED", metricSkipped: "overlap" };

/** Every method of a job and of the fleet that gives a metric, whichever there are. */
const metrics = [job, fleet].flatMap((construct) => {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(construct)).filter((name) =>
    name.startsWith("metric"),
  );
  return names.map((name) => Reflect.apply(Reflect.get(construct, name), construct, [told[name]]) as Metric);
});

test("each metric's name and dimensions are some that the runtime emits", () => {
  for (const { namespace, metricName, dimensions } of metrics) {
    expect(namespace).toBe(METRIC_NAMESPACE);
    const emitted = Object.values(METRICS).find(({ name }) => name === metricName);
    const names = Object.keys(dimensions ?? {}).sort();
    expect(emitted?.dimensions.map((set) => [...set].sort())).toContainEqual(names);
  }
});

test("a job's metric is its own, and takes the options of any metric", () => {
  const metric = job.metricRuns("SUCCEEDED", { label: "done" });
  expect(metric.dimensions).toEqual({ fleet: "Escapement-dev", job: "nightly", status: "SUCCEEDED" });
  expect(metric).toMatchObject({ metricName: "Runs", statistic: "Sum", label: "done" });
  expect(Stack.of(job).resolve(job.metricDuration().statistic)).toBe("p95");
});

import { Stack } from "aws-cdk-lib";
import type { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { expect, test } from "vitest";
import { METRIC_NAMESPACE, METRICS } from "../../lib/lambda/metrics.ts";
import { aJob, aStack } from "./fleet.ts";

const { fleet } = aStack([aJob("nightly")]);
const job = fleet.job("nightly");

/** Every method that gives a metric, of a job and of the fleet. */
const metrics: Metric[] = [
  job.metricRuns("FAILED"),
  job.metricDuration(),
  job.metricLateness(),
  job.metricSkipped("overlap"),
  job.metricDuplicates(),
  fleet.metricRuns("FAILED"),
  fleet.metricSkipped("overlap"),
  fleet.metricRejectedRequests(),
];

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

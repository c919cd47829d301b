import { Metric, type MetricOptions, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { METRIC_NAMESPACE, METRICS } from "../lambda/metrics.ts";

export type { RunStatus, SkipReason } from "../lambda/metrics.ts";

/** A metric as the runtime counts it, by default the sum over five minutes. */
export function countOf(metric: keyof typeof METRICS, dimensionsMap: Record<string, string>, options?: MetricOptions) {
  const { name: metricName } = METRICS[metric];
  return new Metric({ namespace: METRIC_NAMESPACE, metricName, dimensionsMap, statistic: Stats.SUM, ...options });
}

/** A metric in milliseconds, by default its 95th percentile over five minutes. */
export function timeOf(metric: keyof typeof METRICS, dimensionsMap: Record<string, string>, options?: MetricOptions) {
  return countOf(metric, dimensionsMap, { statistic: "p95", ...options });
}

import type { Entry } from "./history.ts";

/** How often what happened. */
export function summary(history: readonly Entry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  for (const entry of history) {
    if (entry.kind === "delivered") count("deliveries");
    if (entry.kind === "invoked") count("invocations");
    if (entry.kind === "start") count("handlers");
    if (entry.kind === "fault") count("faults");
    if (entry.kind === "killed") count(entry.why === "chaos" ? "kills" : "time limits");
    if (entry.kind === "dead-lettered") count("dead letters");
    if (entry.kind === "recorded" && entry.status !== "RUNNING") count(entry.status);
  }
  return counts;
}

/** What the history tells of the runs that a violation names, without the signs of work. */
export function excerpt(history: readonly Entry[], violation: string): Entry[] {
  const invocations = new Set<string>();
  for (const entry of history) {
    if (entry.kind === "invoked" && violation.includes(entry.runId)) invocations.add(entry.invocation);
  }
  return history.filter((entry) => {
    if (entry.kind === "at-work") return false;
    if ("invocation" in entry) return invocations.has(entry.invocation);
    return "runId" in entry && violation.includes(entry.runId);
  });
}

import { useEffect, useRef } from "preact/hooks";
import { FleetPage } from "../fleet/fleet-page.tsx";
import { JobPage } from "../job/job-page.tsx";
import { DoctorPage } from "../places/doctor-page.tsx";
import { LettersPage } from "../places/letters-page.tsx";
import { WorkersPage } from "../places/workers-page.tsx";
import type { Route } from "../route.ts";
import { RunPage } from "../run/run-page.tsx";
import { route } from "../state/route.ts";
import { TimelinePage } from "../timeline/timeline-page.tsx";
import { Empty } from "../ui/states.tsx";

const TITLES = {
  fleet: "Fleet",
  timeline: "Timeline",
  workers: "Workers",
  "dead-letters": "Dead letters",
  doctor: "Doctor",
  unknown: "Not found",
} as const;

/** The page that the address names; who has come to another one hears its heading. */
export function CurrentPage() {
  const { value } = route;
  const title = titleOf(value);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} · Escapement`;
    if (!isFirst.current) {
      scrollTo({ top: 0 });
      const main = document.getElementById("main");
      // The new page may have taken it already, for its search.
      if (!main?.contains(document.activeElement)) (main?.querySelector("h1") ?? main)?.focus();
    }
    isFirst.current = false;
  }, [title]);
  return pageOf(value);
}

function titleOf(current: Route): string {
  if (current.page === "job") return current.job;
  if (current.page === "run") return `${current.job} ${current.runId}`;
  return TITLES[current.page];
}

function pageOf(current: Route) {
  switch (current.page) {
    case "fleet":
      return <FleetPage />;
    case "timeline":
      return <TimelinePage />;
    case "job":
      return <JobPage job={current.job} />;
    case "run":
      return <RunPage job={current.job} runId={current.runId} />;
    case "workers":
      return <WorkersPage />;
    case "dead-letters":
      return <LettersPage />;
    case "doctor":
      return <DoctorPage />;
    case "unknown":
      return (
        <Empty title="There is no such page">
          The address names “{current.path}”. <a href="#/">To the fleet</a>
        </Empty>
      );
  }
}

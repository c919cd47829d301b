/** Where on the page somebody is; it is in the address's hash, so that every place can be linked to. */
export type Route =
  | { readonly page: "fleet" }
  | { readonly page: "timeline" }
  | { readonly page: "job"; readonly job: string }
  | { readonly page: "run"; readonly job: string; readonly runId: string }
  | { readonly page: "workers" }
  | { readonly page: "dead-letters" }
  | { readonly page: "doctor" }
  | { readonly page: "unknown"; readonly path: string };

export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#\/?/, "").replace(/\?.*$/, "");
  const parts = path.split("/").map(decoded);
  const [first = "", job, third, runId] = parts;
  if (path === "") return { page: "fleet" };
  if (parts.length === 1) {
    if (first === "timeline" || first === "workers" || first === "dead-letters" || first === "doctor") {
      return { page: first };
    }
  }
  if (first === "jobs" && job) {
    if (parts.length === 2) return { page: "job", job };
    if (parts.length === 4 && third === "runs" && runId) return { page: "run", job, runId };
  }
  return { page: "unknown", path: decoded(path) };
}

export function jobHref(job: string): string {
  return `#/jobs/${encodeURIComponent(job)}`;
}

export function runHref(job: string, runId: string): string {
  return `${jobHref(job)}/runs/${encodeURIComponent(runId)}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

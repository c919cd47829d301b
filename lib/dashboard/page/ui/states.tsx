import type { ComponentChildren } from "preact";
import type { ApiError } from "../api/client.ts";
import type { Loadable } from "../state/loadable.ts";

/** What is loaded, or what stands in its place until then, and where it fails. */
export function Await<T>(props: {
  state: Loadable<T>;
  rows?: number;
  retry?: () => void;
  children: (value: T) => ComponentChildren;
}) {
  const { state, rows = 4, retry, children } = props;
  if (state.kind === "loading") return <Skeleton rows={rows} />;
  if (state.kind === "failed") return <Failure error={state.error} {...(retry && { retry })} />;
  return (
    <>
      {state.error && <Old error={state.error} {...(retry && { retry })} />}
      {children(state.value)}
    </>
  );
}

/** What is shown is of before: quietly, since it is there. */
function Old({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <p class="old quiet" role="status">
      <span>What you see may be old: it could not be read again. {error.message}</span>
      {retry && (
        <button type="button" class="button is-small" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}

export function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div class="skeleton-row" key={index}>
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

export function Failure({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div class="state is-failure" role="alert">
      <h2>{error.code === "UNREACHABLE" ? "No answer" : "That did not work"}</h2>
      <p>{error.message}</p>
      {retry && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Nothing is there, and that may be well: what it means, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
    </div>
  );
}

import { found, page, pages, ROWS_A_PAGE, wantedPage } from "./view.ts";

/** Which of the jobs are shown; with more than a page of them, the way to the others. */
export function Pager() {
  const count = found.value.length;
  if (count === 0) return null;
  const first = page.value * ROWS_A_PAGE + 1;
  const last = Math.min(count, first + ROWS_A_PAGE - 1);
  return (
    <nav class="pager" aria-label="Pages of jobs">
      <span class="quiet" aria-live="polite">
        {pages.value > 1
          ? `${first}–${last} of ${count.toLocaleString("en-US")}`
          : `${count} ${count === 1 ? "job" : "jobs"}`}
      </span>
      {pages.value > 1 && (
        <>
          <PageButton to={page.value - 1} label="Previous page" sign="‹" />
          <PageButton to={page.value + 1} label="Next page" sign="›" />
        </>
      )}
    </nav>
  );
}

function PageButton({ to, label, sign }: { to: number; label: string; sign: string }) {
  function go() {
    wantedPage.value = to;
    scrollTo({ top: 0 });
  }
  return (
    <button
      type="button"
      class="button is-small"
      aria-label={label}
      disabled={to < 0 || to >= pages.value}
      onClick={go}
    >
      {sign}
    </button>
  );
}

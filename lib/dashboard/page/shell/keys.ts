import { lookFor, page, pages, searchIsWanted, wantedPage } from "../fleet/view.ts";
import { route } from "../state/route.ts";
import { openHelp } from "./help.tsx";

/** The keys of the whole page; a dialog has its own. */
export function startKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const { target } = event;
    if (target instanceof HTMLInputElement && target.id === "search") onSearchKey(event, target);
    else if (!(target instanceof Element && target.closest("input, textarea, select"))) PAGE_KEYS[event.key]?.(event);
  });
}

function onSearchKey(event: KeyboardEvent, input: HTMLInputElement): void {
  if (event.key === "Escape") {
    lookFor("");
    input.blur();
  } else if (event.key === "ArrowDown" || event.key === "Enter") {
    event.preventDefault();
    rows()[0]?.focus();
  }
}

const PAGE_KEYS: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  "/": focusSearch,
  "?": openHelp,
  j: (event) => moveBy(1, event),
  ArrowDown: (event) => moveBy(1, event),
  k: (event) => moveBy(-1, event),
  ArrowUp: (event) => moveBy(-1, event),
  "[": () => turnTo(page.value - 1),
  "]": () => turnTo(page.value + 1),
  Escape() {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  },
};

function focusSearch(event: KeyboardEvent): void {
  event.preventDefault();
  if (route.value.page !== "fleet") location.hash = "#/";
  searchIsWanted.value = true;
}

function moveBy(step: number, event: KeyboardEvent): void {
  const all = rows();
  const current = all.indexOf(document.activeElement as HTMLElement);
  // The arrows scroll the page until a row has the focus.
  if (all.length === 0 || (current === -1 && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  const next = all[Math.min(all.length - 1, Math.max(0, current + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function turnTo(wanted: number): void {
  if (route.value.page === "fleet" && wanted >= 0 && wanted < pages.value) wantedPage.value = wanted;
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main [data-row]")];
}

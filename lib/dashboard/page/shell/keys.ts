import { lookFor, page, pages, wantedPage } from "../fleet/view.ts";
import { route } from "../state/route.ts";
import { openHelp } from "./help.tsx";

/** The keys of the whole page; a dialog has its own. */
export function startKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const { target } = event;
    if (target instanceof HTMLInputElement && target.id === "search") return onSearchKey(event, target);
    if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]")) return;
    onPageKey(event);
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

function onPageKey(event: KeyboardEvent): void {
  switch (event.key) {
    case "/":
      return focusSearch(event);
    case "?":
      return openHelp();
    case "j":
    case "ArrowDown":
      return moveBy(1, event);
    case "k":
    case "ArrowUp":
      return moveBy(-1, event);
    case "[":
      return turnTo(page.value - 1);
    case "]":
      return turnTo(page.value + 1);
    case "Escape":
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }
}

function focusSearch(event: KeyboardEvent): void {
  event.preventDefault();
  if (route.value.page !== "fleet") location.hash = "#/";
  // On another page it is there only once the fleet is.
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("search")?.focus()));
}

function moveBy(step: number, event: KeyboardEvent): void {
  const all = rows();
  const current = all.findIndex((row) => row === document.activeElement);
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

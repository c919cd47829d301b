import { computed, signal } from "@preact/signals";
import { fleet } from "../state/live.ts";
import { countGroups, filterJobs, type Group } from "./filter.ts";
import { type Sorting, sortJobs } from "./sort.ts";

/** What of the fleet is looked at; it stays while somebody is on another page. */
export const search = signal("");
export const group = signal<Group>("all");
export const sorting = signal<Sorting>({ by: "job", descending: false });
/** Somebody wants to type into the search, which may not be there yet. */
export const searchIsWanted = signal(false);
/** Counted from 0. */
export const wantedPage = signal(0);

/** Two screens or so: a keystroke in the search can change all of them, which has to be painted before the next one. */
export const ROWS_A_PAGE = 25;

export const allJobs = computed(() => (fleet.value.kind === "loaded" ? [...fleet.value.value.values()] : []));
export const counts = computed(() => countGroups(allJobs.value));
export const found = computed(() => filterJobs(allJobs.value, group.value, search.value));
const sorted = computed(() => sortJobs(found.value, sorting.value));
export const pages = computed(() => Math.max(1, Math.ceil(found.value.length / ROWS_A_PAGE)));
export const page = computed(() => Math.min(wantedPage.value, pages.value - 1));
export const shownJobs = computed(() => sorted.value.slice(page.value * ROWS_A_PAGE, (page.value + 1) * ROWS_A_PAGE));

export function lookFor(text: string): void {
  search.value = text;
  wantedPage.value = 0;
}

export function lookAt(wanted: Group): void {
  group.value = wanted;
  wantedPage.value = 0;
}

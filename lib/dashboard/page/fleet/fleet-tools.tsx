import { useEffect, useRef } from "preact/hooks";
import { StatusMark } from "../ui/status-mark.tsx";
import { GROUP_WORDS, GROUPS, type Group } from "./filter.ts";
import { COLUMNS, type Column } from "./sort.ts";
import { counts, group, lookAt, lookFor, search, searchIsWanted, sorting } from "./view.ts";

const MARKS = {
  running: "RUNNING",
  failing: "FAILED",
  paused: "paused",
  warnings: "warning",
  disabled: "disabled",
} as const;
const COLUMN_WORDS: Readonly<Record<Column, string>> = {
  job: "Name",
  state: "State",
  next: "Next",
  last: "Last run",
  success: "Success rate",
};

/** Groups to choose from, the search, and at phone width the order. */
export function FleetTools() {
  return (
    <div class="tools">
      <fieldset class="chips">
        <legend class="unseen">Show</legend>
        {GROUPS.map((name) => (
          <Chip key={name} name={name} />
        ))}
      </fieldset>
      <select
        class="input sort-choice"
        aria-label="Order by"
        value={sorting.value.by}
        onChange={({ currentTarget }) => {
          const by = currentTarget.value as Column;
          sorting.value = { by, descending: by === "last" };
        }}
      >
        {COLUMNS.map((column) => (
          <option key={column} value={column}>
            {COLUMN_WORDS[column]}
          </option>
        ))}
      </select>
      <Search />
    </div>
  );
}

function Search() {
  const ref = useRef<HTMLInputElement>(null);
  const isWanted = searchIsWanted.value;
  useEffect(() => {
    if (isWanted) ref.current?.focus();
    searchIsWanted.value = false;
  }, [isWanted]);
  return (
    <label class="search">
      <span class="unseen">Search the jobs</span>
      <input
        ref={ref}
        id="search"
        class="input"
        type="search"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={search}
        onInput={({ currentTarget }) => lookFor(currentTarget.value)}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </label>
  );
}

function Chip({ name }: { name: Group }) {
  const count = counts.value[name];
  const chosen = group.value === name;
  if (count === 0 && name !== "all" && !chosen) return null;
  return (
    <button type="button" class={`chip is-${name}`} aria-pressed={chosen} onClick={() => lookAt(chosen ? "all" : name)}>
      {name !== "all" && <StatusMark mark={MARKS[name]} />}
      {GROUP_WORDS[name]} <b>{count.toLocaleString("en-US")}</b>
    </button>
  );
}

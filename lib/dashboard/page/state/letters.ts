import { signal } from "@preact/signals";
import type { DeadLetterView } from "../../../operations/index.ts";
import { type ApiError, get } from "../api/client.ts";
import { epoch, listen } from "./live.ts";
import type { Loadable } from "./loadable.ts";

/** The dead letters: the header tells how many there are, on every page. */
export const letters = signal<Loadable<readonly DeadLetterView[]>>({ kind: "loading" });

export async function reloadLetters(): Promise<void> {
  letters.value = await get<DeadLetterView[]>("dead-letters").then(
    (value) => ({ kind: "loaded", value }) as const,
    (error: ApiError) => ({ kind: "failed", error }) as const,
  );
}

/** What is gone is taken out here: a stack's queue hides what stays from a second look, for 30 seconds. */
export function forgetLetters(ids: readonly string[]): void {
  const current = letters.peek();
  if (current.kind !== "loaded") return;
  letters.value = { kind: "loaded", value: current.value.filter(({ id }) => !ids.includes(id)) };
}

/** Reads them now, and again whenever events may have been missed. */
export function followLetters(): void {
  listen((event) => {
    if (event.kind === "dead-letters") letters.value = { kind: "loaded", value: event.letters };
  });
  epoch.subscribe((count) => {
    if (count > 0) void reloadLetters();
  });
}

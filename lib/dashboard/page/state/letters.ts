import { effect, signal } from "@preact/signals";
import type { DeadLetterView } from "../../../operations/index.ts";
import { type ApiError, get } from "../api/client.ts";
import { connection } from "./connection.ts";
import { epoch, listen } from "./live.ts";
import { afterFailure, isBroken, type Loadable } from "./loadable.ts";

/** The dead letters: the header tells how many there are, on every page. */
export const letters = signal<Loadable<readonly DeadLetterView[]>>({ kind: "loading" });

export async function reloadLetters(): Promise<void> {
  letters.value = await get<DeadLetterView[]>("dead-letters").then(
    (value) => ({ kind: "loaded", value }) as const,
    (error: ApiError) => afterFailure(letters.peek(), error),
  );
}

/** What is gone is taken out here: a stack's queue hides what stays from a second look, for 30 seconds. */
export function forgetLetters(ids: readonly string[]): void {
  const current = letters.peek();
  if (current.kind !== "loaded") return;
  letters.value = { ...current, value: current.value.filter(({ id }) => !ids.includes(id)) };
}

/** Reads them now, again whenever events may have been missed, and what could not be read when the connection is back. */
export function followLetters(): void {
  listen((event) => {
    if (event.kind === "dead-letters") letters.value = { kind: "loaded", value: event.letters };
  });
  epoch.subscribe((count) => {
    if (count > 0) void reloadLetters();
  });
  effect(() => {
    if (connection.value.kind === "live" && isBroken(letters.peek())) void reloadLetters();
  });
}

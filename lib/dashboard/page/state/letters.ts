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

/** Reads them now, and again whenever events may have been missed. */
export function followLetters(): void {
  listen((event) => {
    if (event.kind === "dead-letters") letters.value = { kind: "loaded", value: event.letters };
  });
  epoch.subscribe((count) => {
    if (count > 0) void reloadLetters();
  });
}

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ApiError } from "../api/client.ts";
import { connection } from "./connection.ts";
import { epoch } from "./live.ts";

/** What is asked of the server, in each of its conditions. */
export type Loadable<T> =
  | { readonly kind: "loading" }
  /** With an error it is old: it could not be read again since. */
  | { readonly kind: "loaded"; readonly value: T; readonly error?: ApiError }
  | { readonly kind: "failed"; readonly error: ApiError };

export interface Loaded<T> {
  readonly state: Signal<Loadable<T>>;
  /** Asks again; what is there stays until the answer comes, and also where none comes. */
  reload(): Promise<void>;
  /** Asks again where the last answer was an error: something was heard of what is shown. */
  mend(): void;
  /** Changes what is there, as an event says. */
  change(how: (value: T) => T): void;
  /** An event brings the whole of it, also where the server had none. */
  put(value: T): void;
}

/** What is loaded outlives a failure to read it again. */
export function afterFailure<T>(before: Loadable<T>, error: ApiError): Loadable<T> {
  return before.kind === "loaded" ? { ...before, error } : { kind: "failed", error };
}

/** Whether the last answer was an error. */
export function isBroken(state: Loadable<unknown>): boolean {
  return state.kind !== "loading" && state.error !== undefined;
}

/**
 * Asks the server, again when events may have been missed, and what could not be read when the connection is back.
 *
 * @param key what is asked for: with another one nothing is shown until it is there
 * @param part which part of it: with another one the old part stays until the new one is there
 */
export function useLoaded<T>(key: string, load: () => Promise<T>, part = ""): Loaded<T> {
  const state = useSignal<Loadable<T>>({ kind: "loading" });
  const latest = useRef(0);
  const answered = useRef(0);
  const shownKey = useRef(key);

  async function reload(): Promise<void> {
    latest.current += 1;
    const mine = latest.current;
    const answer = await load().then(
      (value) => ({ kind: "loaded", value }) as const,
      (error: ApiError) => afterFailure(state.peek(), error),
    );
    // An answer that was overtaken by a newer question is none.
    if (mine !== latest.current) return;
    answered.current = mine;
    state.value = answer;
  }

  function mend(): void {
    if (isBroken(state.peek()) && answered.current === latest.current) void reload();
  }

  function change(how: (value: T) => T): void {
    const current = state.peek();
    if (current.kind === "loaded") state.value = { ...current, value: how(current.value) };
  }

  function put(value: T): void {
    latest.current += 1;
    answered.current = latest.current;
    state.value = { kind: "loaded", value };
  }

  // Key and part stand for what `load` asks.
  useEffect(() => {
    if (epoch.value === 0) return;
    if (shownKey.current !== key) state.value = { kind: "loading" };
    shownKey.current = key;
    void reload();
  }, [key, part, epoch.value]);

  useSignalEffect(() => {
    if (connection.value.kind === "live") mend();
  });

  return { state, reload, mend, change, put };
}

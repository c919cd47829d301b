import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ApiError } from "../api/client.ts";
import { epoch } from "./live.ts";

/** What is asked of the server, in each of its conditions. */
export type Loadable<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly value: T }
  | { readonly kind: "failed"; readonly error: ApiError };

export interface Loaded<T> {
  readonly state: Signal<Loadable<T>>;
  /** Asks again; what is there stays until the answer comes. */
  reload(): Promise<void>;
  /** Changes what is there, as an event says. */
  change(how: (value: T) => T): void;
  /** An event brings the whole of it, also where the server had none. */
  put(value: T): void;
}

/**
 * Asks the server, and again when events may have been missed.
 *
 * @param key what is asked for: with another one nothing is shown until it is there
 * @param part which part of it: with another one the old part stays until the new one is there
 */
export function useLoaded<T>(key: string, load: () => Promise<T>, part = ""): Loaded<T> {
  const state = useSignal<Loadable<T>>({ kind: "loading" });
  const latest = useRef(0);
  const shownKey = useRef(key);

  async function reload(): Promise<void> {
    latest.current += 1;
    const mine = latest.current;
    const answer = await load().then(
      (value) => ({ kind: "loaded", value }) as const,
      (error: ApiError) => ({ kind: "failed", error }) as const,
    );
    // An answer that was overtaken by a newer question is none.
    if (mine === latest.current) state.value = answer;
  }

  function change(how: (value: T) => T): void {
    const current = state.peek();
    if (current.kind === "loaded") state.value = { kind: "loaded", value: how(current.value) };
  }

  function put(value: T): void {
    latest.current += 1;
    state.value = { kind: "loaded", value };
  }

  // Key and part stand for what `load` asks.
  useEffect(() => {
    if (epoch.value === 0) return;
    if (shownKey.current !== key) state.value = { kind: "loading" };
    shownKey.current = key;
    void reload();
  }, [key, part, epoch.value]);

  return { state, reload, change, put };
}

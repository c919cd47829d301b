import { signal } from "@preact/signals";

/** What an operator is about to do; its dialog is open until it is done or given up. */
export type Action =
  | { readonly kind: "trigger" | "pause" | "resume" | "unlock"; readonly job: string }
  /** The run that is named, which may wait for the lock; else the one at work. */
  | { readonly kind: "cancel"; readonly job: string; readonly runId?: string }
  | { readonly kind: "backfill"; readonly job: string; readonly from?: string; readonly to?: string }
  | { readonly kind: "resend"; readonly id?: string | undefined; readonly what: string }
  | { readonly kind: "discard"; readonly id: string; readonly what: string };

export const action = signal<Action | undefined>(undefined);

export function openAction(wanted: Action): void {
  action.value = wanted;
}

export function closeAction(): void {
  action.value = undefined;
}

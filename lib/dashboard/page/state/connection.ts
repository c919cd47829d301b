import { signal } from "@preact/signals";

/** How the page stands with its server. `refused`: it answers, and does not let this page in; the message may be empty. */
export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "lost"; readonly sinceMs: number }
  | { readonly kind: "refused"; readonly message: string };

export const connection = signal<Connection>({ kind: "connecting" });

/** The machine's own clock each second, while the connection is lost: how long it has been. */
export const wallClock = signal(Date.now());

setInterval(() => {
  if (connection.peek().kind === "lost") wallClock.value = Date.now();
}, 1_000);

export function lose(sinceMs: number): void {
  if (connection.peek().kind === "lost") return;
  wallClock.value = Date.now();
  connection.value = { kind: "lost", sinceMs };
}

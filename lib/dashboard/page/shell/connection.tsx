import { relativeText } from "../format/duration.ts";
import { connection, wallClock } from "../state/connection.ts";

/** How the connection stands, always in sight. */
export function ConnectionPill() {
  const { value } = connection;
  const word = { connecting: "Connecting", live: "Live", lost: "Connection lost", refused: "Signed out" }[value.kind];
  return (
    <span class={`connection is-${value.kind}`} role="status" aria-live="polite">
      <i aria-hidden="true" />
      {word}
    </span>
  );
}

/** What a lost connection means for what is in sight, and how long it has been. */
export function ConnectionBanner() {
  const { value } = connection;
  if (value.kind === "lost") {
    return (
      <div class="banner" data-connection="lost">
        <b>Connection lost {relativeText(value.sinceMs, wallClock.value)}.</b> What you see is as of then. Trying again;
        what has happened meanwhile will be here.
      </div>
    );
  }
  if (value.kind === "refused") {
    return (
      <div class="banner" role="alert">
        <b>This page is signed out.</b> {value.message && `${value.message} `}Open the address that the runner or the
        command printed last.
      </div>
    );
  }
  return null;
}

import { ActionDialogs } from "../actions/action-dialogs.tsx";
import { connection } from "../state/connection.ts";
import { Tip } from "../ui/tip.tsx";
import { ConnectionBanner } from "./connection.tsx";
import { Header } from "./header.tsx";
import { Help } from "./help.tsx";
import { CurrentPage } from "./current-page.tsx";
import { Tidings } from "./tidings.tsx";

/** The whole page. */
export function App() {
  return (
    <>
      <a class="skip-link" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header />
      <ConnectionBanner />
      <main id="main" tabIndex={-1} class={connection.value.kind === "lost" ? "is-stale" : ""}>
        <CurrentPage />
      </main>
      <Tidings />
      <ActionDialogs />
      <Help />
      <Tip />
    </>
  );
}

/** The address's hash is the place on the page, so that a plain link to #main would leave it. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

import { ActionDialogs } from "../actions/action-dialogs.tsx";
import { stands } from "../state/clock.ts";
import { Tip } from "../ui/tip.tsx";
import { ConnectionBanner } from "./connection.tsx";
import { CurrentPage } from "./current-page.tsx";
import { Header } from "./header.tsx";
import { Help } from "./help.tsx";
import { Tidings } from "./tidings.tsx";

/** The whole page. */
export function App() {
  return (
    <>
      <button type="button" class="button skip-link" onClick={skipToMain}>
        Skip to the content
      </button>
      <Header />
      <ConnectionBanner />
      <main id="main" tabIndex={-1} class={stands.value ? "is-stale" : ""}>
        <CurrentPage />
      </main>
      <Tidings />
      <ActionDialogs />
      <Help />
      <Tip />
    </>
  );
}

/** No link: the address's hash is the place on the page. */
function skipToMain(): void {
  document.getElementById("main")?.focus();
}

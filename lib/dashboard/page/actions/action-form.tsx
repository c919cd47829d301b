import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { ApiError } from "../api/client.ts";
import { target } from "../state/live.ts";
import { tell } from "../state/tidings.ts";
import { Dialog } from "../ui/dialog.tsx";
import { closeAction } from "./open-action.ts";

/** How an action ended. `refused`: nothing was done, and the dialog says why; `open`: the dialog goes on by itself. */
export type Outcome =
  | { readonly kind: "done"; readonly text: string; readonly href?: string | undefined }
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "open" };

interface ActionFormProps {
  readonly title: string;
  /** On the button that does it. */
  readonly verb: string;
  /** It cannot be taken back. */
  readonly danger?: boolean;
  /** Whether there is anything to do at all. */
  readonly possible?: boolean;
  readonly children: ComponentChildren;
  /** Does it; what it throws is shown, as is a refusal. */
  readonly act: (form: FormData) => Promise<Outcome>;
}

/** A dialog that does one thing: a second click while it does is harmless, and an error is shown where the hand is. */
export function ActionForm({ title, verb, danger = false, possible = true, children, act }: ActionFormProps) {
  const busy = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  const closed = useRef(false);

  function close(): void {
    closed.current = true;
    closeAction();
  }

  async function submit(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    if (busy.peek()) return;
    busy.value = true;
    error.value = undefined;
    const form = new FormData(event.currentTarget);
    const outcome = await act(form).catch((thrown: ApiError) => ({ kind: "refused", text: thrown.message }) as const);
    busy.value = false;
    if (outcome.kind === "done") {
      tell("done", outcome.text, outcome.href);
      if (!closed.current) close();
    } else if (outcome.kind === "open") return;
    else if (closed.current) tell("fault", `${title}: ${outcome.text}`);
    else error.value = outcome.text;
  }

  return (
    <Dialog title={title} onClose={close}>
      <form class="form" onSubmit={submit}>
        {children}
        {error.value !== undefined && (
          <p class="form-error" role="alert">
            {error}
          </p>
        )}
        <footer class="form-foot">
          <span class="quiet">Recorded as {target.value?.whoAmI ?? "you"}</span>
          <button type="button" class="button" onClick={close}>
            Not now
          </button>
          <button
            type="submit"
            class={`button ${danger ? "is-danger" : "is-main"}`}
            disabled={!possible}
            aria-busy={busy.value}
          >
            {busy.value ? "…" : verb}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

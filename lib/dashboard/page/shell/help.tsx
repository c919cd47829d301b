import { signal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";

const isOpen = signal(false);

export function openHelp(): void {
  isOpen.value = true;
}

const KEYS = [
  ["/", "search the jobs"],
  ["j k ↓ ↑", "next and previous row"],
  ["Enter", "open it"],
  ["Esc", "empty the search, close a dialog"],
  ["[ ]", "previous and next page of jobs"],
  ["← → + − 0", "move, zoom, back to now, in a timeline"],
  ["?", "these keys"],
] as const;

export function Help() {
  if (!isOpen.value) return null;
  return (
    <Dialog title="Keys" onClose={() => (isOpen.value = false)}>
      <dl class="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">In a timeline the wheel zooms with Ctrl, and moves with Shift or sideways.</p>
    </Dialog>
  );
}

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Shown {
  readonly element: Element;
  readonly text: string;
  readonly around: DOMRect;
}

const shown = signal<Shown | undefined>(undefined);

function showFor({ target }: Event): void {
  show(target instanceof Element ? target.closest("[data-tip]") : null);
}

function show(element: Element | null): void {
  const text = element?.getAttribute("data-tip");
  shown.value = element && text ? { element, text, around: element.getBoundingClientRect() } : undefined;
}

/** What is focused out of sight is scrolled to, and keeps its tip. */
function follow(): void {
  if (shown.value) show(shown.value.element);
}

function hide(): void {
  shown.value = undefined;
}

/** Listens for what has a `data-tip` and is pointed at or focused. */
export function startTips(): void {
  addEventListener("pointerover", showFor);
  addEventListener("focusin", showFor);
  addEventListener("focusout", hide);
  addEventListener("scroll", follow, { capture: true, passive: true });
  addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("hashchange", hide);
}

const EDGE = 8;

/** A few words more on what is pointed at. It can be read by focus, and is never the only place of a word. */
export function Tip() {
  const ref = useRef<HTMLDivElement>(null);
  const { value } = shown;
  useLayoutEffect(() => {
    const tip = ref.current;
    if (!tip || !value) return;
    // Above an open dialog, too.
    tip.showPopover();
    const { left, width, top, bottom } = value.around;
    const x = Math.min(Math.max(EDGE, left + width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - EDGE);
    const above = top - tip.offsetHeight - EDGE;
    tip.style.translate = `${x}px ${above > EDGE ? above : bottom + EDGE}px`;
  }, [value]);
  if (!value) return null;
  return (
    <div ref={ref} class="tip" popover="manual" role="presentation">
      {value.text}
    </div>
  );
}

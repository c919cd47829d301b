import { useSignal } from "@preact/signals";
import { now } from "../state/clock.ts";
import { ofLength, pan, startingViewport, steadyMs, type Viewport, zoom } from "./viewport.ts";

const CLOSER = 0.6;

/** What is in sight, and every way to move it. */
export function useViewport() {
  const viewport = useSignal<Viewport>(startingViewport(now.peek()));
  const steady = () => steadyMs(viewport.peek(), now.peek());
  const set = (next: Viewport) => {
    viewport.value = next;
  };
  return {
    viewport,
    closer: (aroundMs = steady()) => set(zoom(viewport.peek(), CLOSER, aroundMs)),
    wider: (aroundMs = steady()) => set(zoom(viewport.peek(), 1 / CLOSER, aroundMs)),
    zoomBy: (factor: number, aroundMs: number) => set(zoom(viewport.peek(), factor, aroundMs)),
    move: (share: number) => set(pan(viewport.peek(), share)),
    span: (lengthMs: number) => set(ofLength(viewport.peek(), lengthMs, steady())),
    toNow: () => set(startingViewport(now.peek())),
  };
}

export type ViewportMoves = ReturnType<typeof useViewport>;

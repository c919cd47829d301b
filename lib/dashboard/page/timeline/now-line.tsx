import { useNowByPixel } from "./use-now-by-pixel.ts";
import type { Viewport } from "./viewport.ts";

interface NowLineProps {
  readonly viewport: Viewport;
  readonly place: (atMs: number) => number;
  readonly named: boolean;
}

/** Where the past ends. */
export function NowLine({ viewport, place, named }: NowLineProps) {
  const nowMs = useNowByPixel(viewport, 2_000);
  if (nowMs < viewport.fromMs || nowMs > viewport.toMs) return null;
  return <div class={named ? "now-line is-named" : "now-line"} style={{ "--x": `${place(nowMs)}px` }} />;
}

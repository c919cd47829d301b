import { useComputed } from "@preact/signals";
import { now } from "../state/clock.ts";
import type { Viewport } from "./viewport.ts";

/** The time, as coarse as a pixel: what is drawn by it is drawn again only when it looks different. */
export function useNowByPixel({ fromMs, toMs }: Viewport, width: number): number {
  const pixelMs = Math.max(1_000, (toMs - fromMs) / Math.max(1, width));
  return useComputed(() => Math.floor(now.value / pixelMs) * pixelMs).value;
}

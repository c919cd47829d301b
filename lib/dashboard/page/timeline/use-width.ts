import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

/** How wide an element is, in pixels, also after it has changed. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    const { current } = ref;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      width.value = current.clientWidth;
    });
    observer.observe(current);
    width.value = current.clientWidth;
    return () => observer.disconnect();
  }, [width]);
  return { ref, width };
}

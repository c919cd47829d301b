import type { ComponentChildren } from "preact";
import { target } from "../state/live.ts";

/** Buttons that change something: they are not there where the server refuses all changes. */
export function Acts({ children }: { children: ComponentChildren }): ComponentChildren {
  return target.value?.readOnly ? null : children;
}

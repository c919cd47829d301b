import { useEffect, useRef } from "preact/hooks";
import type { DashboardEvent } from "../../api.ts";
import { listen } from "./live.ts";

/** Hears the server's events while the component is there. */
export function useEvents(listener: (event: DashboardEvent) => void): void {
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => listen((event) => current.current(event)), []);
}

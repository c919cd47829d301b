import { signal } from "@preact/signals";
import { parseRoute } from "../route.ts";

export const route = signal(parseRoute(location.hash));

addEventListener("hashchange", () => {
  route.value = parseRoute(location.hash);
});

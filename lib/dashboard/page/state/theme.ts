import { effect, signal } from "@preact/signals";

/** `auto` is what the system says. */
export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "escapement-theme";
const stored = localStorage.getItem(KEY);

export const theme = signal<Theme>(THEMES.find((name) => name === stored) ?? "auto");

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  localStorage.setItem(KEY, theme.value);
});

import { THEMES, theme } from "../state/theme.ts";

const SIGNS = { auto: "◐", light: "☀", dark: "☾" } as const;
const WORDS = { auto: "as the system's", light: "light", dark: "dark" } as const;

/** From the system's colours to light ones to dark ones. */
export function ThemeSwitch() {
  const { value } = theme;
  function next() {
    theme.value = THEMES[(THEMES.indexOf(value) + 1) % THEMES.length] ?? "auto";
  }
  return (
    <button
      type="button"
      class="button is-plain"
      aria-label={`Colours: ${WORDS[value]}`}
      title={`Colours: ${WORDS[value]}`}
      onClick={next}
    >
      {SIGNS[value]}
    </button>
  );
}

const LONGEST_SHOWN = 200;

/** Any value as a message shows it: text in quotes, bounded, and never able to throw. */
export function shown(value: unknown): string {
  return shortened(typeof value === "string" ? JSON.stringify(value) : printed(value));
}

/** A text as a message repeats it. */
export function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function printed(value: unknown): string {
  try {
    return (typeof value === "object" ? JSON.stringify(value) : undefined) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

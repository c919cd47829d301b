/**
 * Text from outside as one line: control characters, line separators and what turns the direction of text become `\x1b`
 * or `\u202e` and the like, so that it neither steers the terminal nor forges lines; tabs may stay. What is no text is shown as JSON.
 */
export function printable(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.replace(/(?!\t)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (control) => {
    const code = control.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** The same where its lines are laid out as such. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** What JSON escapes, pair by pair; and what stands in it as it is, and is not seen. */
const ESCAPED_OR_HIDDEN =
  /\\(?:u(?:00[01][\da-f]|007f|00[89][\da-f]|061c|200[ef]|202[89a-e]|206[6-9])|.)|[\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}]/gisu;

/**
 * Reads JSON from outside. Control characters and what turns the direction of text become `\u001b` or `\u202e` and the
 * like in all of its texts and names, so that they forge nothing on the page; line breaks and tabs stay.
 *
 * @throws SyntaxError where it is no JSON
 */
export function parseVisibly(json: string): unknown {
  return JSON.parse(json.replace(ESCAPED_OR_HIDDEN, visible));
}

function visible(found: string): string {
  if (found.startsWith("\\")) return found.length > 2 ? `\\${found}` : found;
  return `\\\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

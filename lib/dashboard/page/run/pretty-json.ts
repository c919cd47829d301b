/** JSON text with line breaks; text that was cut, and is no JSON any more, as it is. */
export function prettyJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

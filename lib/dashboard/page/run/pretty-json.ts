import { parseVisibly } from "../format/visible-json.ts";

/** JSON text with line breaks; text that was cut, and is no JSON any more, as it is. */
export function prettyJson(json: string): string {
  try {
    return JSON.stringify(parseVisibly(json), undefined, 2);
  } catch {
    return json;
  }
}

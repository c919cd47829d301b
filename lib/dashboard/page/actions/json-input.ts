export type JsonInput = { readonly value?: unknown } | { readonly error: string };

/** What somebody typed as a run's input: nothing, or JSON. The error says where it ends to be JSON. */
export function parseJsonInput(text: string): JsonInput {
  if (text.trim() === "") return {};
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: `The input is not JSON: ${(error as Error).message}` };
  }
}

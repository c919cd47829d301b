export type JsonInput = { readonly json?: string } | { readonly error: string };

/**
 * What somebody typed as a run's input: nothing, or JSON, which is sent as it stands: read and written again it could be
 * another one. The error says where it ends to be JSON.
 */
export function checkJsonInput(text: string): JsonInput {
  const json = text.trim();
  if (json === "") return {};
  try {
    JSON.parse(json);
    return { json };
  } catch (error) {
    return { error: `The input is not JSON: ${(error as Error).message}` };
  }
}

export type Methods<T> = { readonly [Name in keyof T]: (...args: never[]) => Promise<unknown> };

/** The same methods, which throw what is made of their errors. */
export function withErrors<T extends Methods<T>>(methods: T, explain: (error: unknown) => unknown): T {
  const explained = Object.entries<(...args: never[]) => Promise<unknown>>(methods).map(([name, method]) => [
    name,
    (...args: never[]) =>
      method(...args).catch(async (error: unknown) => {
        throw await explain(error);
      }),
  ]);
  return Object.fromEntries(explained) as T;
}

/** The jobs of a fleet, as the dispatcher knows them. */
export interface Manifest {
  readonly fleet: string;
  readonly jobs: Readonly<Record<string, { readonly functionName: string }>>;
}

declare global {
  /** The bundler puts the stack's manifest in the place of this name. */
  const ESCAPEMENT_MANIFEST: Manifest;
}

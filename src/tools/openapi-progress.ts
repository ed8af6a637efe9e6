/** How far the import of an OpenAPI document has come. */
export interface OpenApiProgress {
  /**
   * `fetching`: the document is on its way, for a tool file that names its address. `reading`: its text is parsed.
   * `making`: its operations become callables.
   */
  readonly phase: "fetching" | "reading" | "making";
  /** Of `reading` characters or bytes of the text, of `making` operations; of `fetching` 0. */
  readonly done: number;
  /** Undefined for `fetching`. */
  readonly total: number | undefined;
}

/** Called while a document is imported. */
export type OnOpenApiProgress = (progress: OpenApiProgress) => void;

/** A file of a batch, as the call wants it: checked, its path within `/workspace`. */
export interface FileRequest {
  /** Its place in the call, from 0. */
  readonly index: number;
  /** As the call names it. */
  readonly filename: string;
  /** Relative to `/workspace`. */
  readonly path: string;
  readonly kind: "code" | "image";
  readonly description: string;
  readonly externalImports: readonly string[];
  readonly internalImports: readonly string[];
  /** Of an image alone, where the call says so. */
  readonly image?: ImageRequest;
}

/** How large an image is to be, in pixels, and of what format. */
export interface ImageRequest {
  /** Default 1024. */
  readonly width: number;
  /** Default 1024. */
  readonly height: number;
  /** Default: as the name of the file ends. */
  readonly format: string;
}

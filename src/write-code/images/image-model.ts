import type { CompleteOptions, ModelUsage } from "../../model/index.js";

/** An image that is wanted. */
export interface ImageModelRequest {
  readonly prompt: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** `png`, `jpeg` or `webp` for instance: what the file is to be. */
  readonly format: string;
}

/** An image as it came. Nobody has looked at it yet. */
export interface GeneratedImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As the server says, or as the bytes begin. */
  readonly mime: string;
  /** What a person may want to know: that it has another size than was wanted, for instance. */
  readonly notices: readonly string[];
  /** Where the server counts. */
  readonly usage?: ModelUsage | null;
}

/** What makes images: a model behind a server, or one of your own. */
export interface ImageModel {
  /** What the provider calls it. */
  readonly name: string;
  /** `openai`, or a word of your own. */
  readonly kind: string;
  /**
   * What it can make: `png`, `jpeg`, `webp`, `gif`. Another format is refused before it is asked. Default: it is asked for
   * any of these four, and what comes is looked at.
   */
  readonly formats?: readonly string[];
  /** As of a language model: the text without the key that this one was given. */
  withoutKey?(text: string): string;
  /**
   * @throws {ModelError} of the kind that fits.
   * @throws the signal's reason when `signal` was aborted.
   */
  generate(request: ImageModelRequest, options?: CompleteOptions): Promise<GeneratedImage>;
}

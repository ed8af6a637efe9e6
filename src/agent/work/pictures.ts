import type { ContentPart } from "../../model/index.js";
import { PICTURE_TEXT } from "../conversation/remembered-reply.js";

/** Pictures that a model is shown in one go, and bytes of one. */
const MOST_PICTURES = 4;
const LARGEST_PICTURE = 4_000_000;

/** Those that models take, the plainest first. */
export const PICTURE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/** The pictures of a step, as a model is shown them; what is too much, or no picture, is left out. */
export class ShownPictures {
  #parts: ContentPart[] = [];

  add(mime: string, data: Uint8Array): void {
    const isLeftOut = !PICTURE_TYPES.includes(mime) || data.length > LARGEST_PICTURE;
    if (isLeftOut || this.#parts.length === MOST_PICTURES) return;
    this.#parts.push({ type: "image", mime, data, text: PICTURE_TEXT });
  }

  /** Those since the last call. */
  take(): readonly ContentPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

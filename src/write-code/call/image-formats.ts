/** The formats of images by how a file of one ends. SVG is text, and no image here. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ["jpg", "jpeg"],
  ["jpeg", "jpeg"],
  ["png", "png"],
  ["gif", "gif"],
  ["bmp", "bmp"],
  ["tiff", "tiff"],
  ["tif", "tiff"],
  ["webp", "webp"],
  ["ico", "ico"],
  ["psd", "psd"],
  ["raw", "raw"],
  ["heic", "heic"],
  ["heif", "heif"],
]);

/** What a call may ask for. */
export const IMAGE_FORMATS: readonly string[] = [...new Set(FORMATS.values())];

/** The format of the image that a file is to hold, as its name ends; undefined where it holds text. */
export function imageFormatOf(path: string): string | undefined {
  return FORMATS.get(extensionOf(path));
}

/** As callers write it, `JPG` too; undefined for a word that is none. */
export function readImageFormat(word: string): string | undefined {
  return FORMATS.get(word.trim().toLowerCase().replace(/^\./, ""));
}

/** What follows the last dot of a name, in lower case; empty where there is none, as in `Makefile` and `.env`. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

import type { SchemaOutput } from "../tools/index.js";
import type { CallingSession } from "./calling-session.js";
import { FileTooLargeError } from "./errors.js";
import type { VIEW_IMAGE } from "./parameters.js";
import { isFolder, resolvedPath } from "./workspace-path.js";

/** Bytes; what agents show their models is smaller still. */
const LARGEST_PICTURE = 20 * 2 ** 20;

/** What a picture begins with. One that could hold a script or an address, as SVG does, is none of them. */
const SIGNATURES: readonly (readonly [mime: string, at: number, bytes: readonly number[]])[] = [
  ["image/png", 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", 0, [0xff, 0xd8, 0xff]],
  ["image/gif", 0, [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", 8, [0x57, 0x45, 0x42, 0x50]],
];

/**
 * Shows a picture with the output of the code that calls, where an agent's model sees it too.
 *
 * @throws {Error} with the protocol's texts. @throws {FileTooLargeError} @throws {WorkspacePathError}
 */
export async function viewImage(
  { path: given }: SchemaOutput<typeof VIEW_IMAGE>,
  { files, showPicture }: CallingSession,
  runId: string,
): Promise<string> {
  const path = resolvedPath(given);
  await files.collect();
  const record = path === "" ? undefined : await files.find(path);
  if (record === undefined) {
    const isThere = isFolder(await files.list(), path);
    throw new Error(
      isThere
        ? `image path \`${given}\` is not a file`
        : `unable to locate image at \`${given}\`: No such file or directory (os error 2)`,
    );
  }
  if (record.size > LARGEST_PICTURE) throw new FileTooLargeError(path, record.size, LARGEST_PICTURE);
  const bytes = await files.read(path);
  const mime = mimeOf(bytes);
  if (mime === undefined) throw new Error(`\`${given}\` is no PNG, JPEG, GIF or WebP picture`);
  if (!showPicture(runId, mime, bytes)) throw new Error("unable to attach image (no active task)");
  return "attached local image path";
}

function mimeOf(bytes: Uint8Array): string | undefined {
  const [mime] = SIGNATURES.find(([, at, begin]) => begin.every((byte, index) => bytes[at + index] === byte)) ?? [];
  return mime;
}

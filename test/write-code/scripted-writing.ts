import type { FileRequest } from "../../src/write-code/call/file-request.js";
import type { WritingFiles } from "../../src/write-code/writing-session.js";

/** A file that a call wants. */
export function fileRequest(path: string, more: Partial<FileRequest> = {}): FileRequest {
  return {
    index: 0,
    filename: path,
    path,
    kind: "code",
    description: "Does what its name says.",
    externalImports: [],
    internalImports: [],
    ...more,
  };
}

/** The files of a workspace, for tests that read alone. */
export function writingFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
): Pick<WritingFiles, "paths" | "readVersion"> {
  return {
    paths: () => Promise.resolve(Object.keys(files)),
    readVersion: (path) => {
      const content = files[path];
      if (content === undefined) return Promise.resolve(undefined);
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
      return Promise.resolve({ content: bytes, version: "1" });
    },
  };
}

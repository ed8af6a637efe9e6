/**
 * Saves bytes as a file. The type tells nothing on purpose: a browser must never
 * draw such a blob, which would have this page's origin.
 */
export function download(name: string, content: Uint8Array<ArrayBuffer> | Blob | string): void {
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name.split("/").at(-1) ?? name;
  anchor.click();
  // The browser has taken the blob over by then.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}

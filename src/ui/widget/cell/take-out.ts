import { h } from "../shared/dom.js";

/** False where the page may not write to the clipboard: it is no secure one, or a frame that was not let. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Offers `text` as a file of Python. */
export function download(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text, "\n"], { type: "text/x-python" }));
  h("a", { href: url, download: fileName }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

import { LONGEST_LINKED, pythonFragment } from "../../state/text/python-link.js";

/** The address of a demo that opens with `code` in its console; null for more code than an address carries. */
export function demoLink(demo: string, code: string): string | null {
  if (code.length > LONGEST_LINKED) return null;
  const url = new URL(demo);
  url.hash = pythonFragment(code);
  return url.href;
}

/** A name for a download, from what the cell is called. */
export function fileNameOf(label: string): string {
  const words = label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${words.join("-").slice(0, 60) || "cell"}.py`;
}

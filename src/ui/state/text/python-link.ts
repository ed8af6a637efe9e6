/** Characters of code that an address carries; browsers take longer ones, but mail programs and chats cut them. */
export const LONGEST_LINKED = 30_000;

const NAME = "python=";

/** The fragment of an address that carries code to a demo page: nothing of it is sent to a server. */
export function pythonFragment(code: string): string {
  const bytes = new TextEncoder().encode(code);
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#${NAME}${base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The code that a fragment carries; null where it carries none, or none that can be read. */
export function pythonInFragment(fragment: string): string | null {
  const text = fragment.replace(/^#/, "");
  if (!text.startsWith(NAME) || text.length > 4 * LONGEST_LINKED) return null;
  try {
    const letters = atob(text.slice(NAME.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

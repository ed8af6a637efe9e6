import type { RunError } from "../../../session/index.js";

const FRAME = /^[\s|+-]*File "/;

/**
 * The line of a cell's own code, counted from 1, where an error was raised: that of its innermost frame there, or the one
 * that Python could not read. Null where there is none.
 *
 * @param name - how the traceback calls the code.
 */
export function faultLineOf(
  error: RunError | null,
  { name, code }: { readonly name: string; readonly code: string },
): number | null {
  if (error === null) return null;
  const place = `File "<${name}>", line `;
  const lines = code.split("\n").length;
  let fault: number | null = null;
  for (const text of error.traceback.split("\n")) {
    const start = FRAME.test(text) ? text.indexOf(place) : -1;
    const line = start === -1 ? NaN : Number.parseInt(text.slice(start + place.length), 10);
    // What the error says of itself may look like a frame, too.
    if (line >= 1 && line <= lines) fault = line;
  }
  return fault;
}

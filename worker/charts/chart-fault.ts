import { isStackOverflow } from "../content/content-fault.js";

/** Why a chart is not drawn. The message ends the sentence "This chart cannot be drawn: …". */
export class ChartFault extends Error {
  override readonly name = "ChartFault";
}

/** Characters of what a library says, of its beginning and of its end: some quote the whole specification in between. */
const LONGEST_END = 300;

/** What an error says, for a person. */
export function reasonOf(error: unknown): string {
  if (isStackOverflow(error)) return "its parts are nested too deeply";
  if (error instanceof Error) return shortReason(error.message);
  return typeof error === "string" || typeof error === "number" ? shortReason(String(error)) : "an unknown error";
}

export function shortReason(text: string): string {
  if (text.length <= 2 * LONGEST_END) return text;
  return `${text.slice(0, LONGEST_END)} … ${text.slice(-LONGEST_END)}`;
}

/** A number, as it is read. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

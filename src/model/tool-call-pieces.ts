import { jsonIn } from "../protocol/index.js";
import { ModelResponseError, type ModelAddress } from "./errors.js";
import type { ModelToolCall } from "./model.js";

/** A piece of a call as a chunk carries it; every part of it may be missing. */
export interface ToolCallPiece {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly arguments?: string | null | undefined;
}

interface OpenCall {
  readonly index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/**
 * Puts calls together from their pieces. The protocol numbers the pieces of a
 * call by `index` and says its id and name in the first. Servers differ: some
 * send whole calls without index, or all with the same; some say the id late,
 * in every piece, or never.
 */
export class ToolCallPieces {
  readonly #calls: OpenCall[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  add(piece: ToolCallPiece): void {
    const id = piece.id ?? "";
    const name = piece.name ?? "";
    const text = piece.arguments ?? "";
    const open = this.#find(piece);
    if (open === undefined || begins(open, id, name)) {
      this.#calls.push({ index: piece.index ?? null, id, name, arguments: text });
      return;
    }
    if (open.id === "") open.id = id;
    if (name !== open.name) open.name += name;
    open.arguments += text;
  }

  /**
   * The calls in the order in which they began, each with an id of its own.
   * Of a reply that was `cut`, by the length limit or a filter, those that are whole.
   *
   * @throws {ModelResponseError} when a call has no name.
   */
  finish(address: ModelAddress, cut: boolean): ModelToolCall[] {
    const ids = new Set<string>();
    const calls: ModelToolCall[] = [];
    for (const call of this.#calls) {
      const text = call.arguments.trim() === "" ? "{}" : call.arguments;
      if (call.name === "" && call.arguments === "") continue;
      if (cut && !isWhole(text)) continue;
      if (call.name === "") throw new ModelResponseError(address, "a tool call has no name");
      const id = call.id === "" || ids.has(call.id) ? newId() : call.id;
      ids.add(id);
      calls.push({ id, name: call.name, arguments: text });
    }
    return calls;
  }

  #find({ index, id, name }: ToolCallPiece): OpenCall | undefined {
    if (typeof index === "number") return this.#calls.findLast((call) => call.index === index);
    const latest = this.#calls.at(-1);
    if (!id) return latest;
    return this.#calls.findLast((call) => call.id === id) ?? (latest?.id === "" && !name ? latest : undefined);
  }
}

/** Whether a piece that could belong to `open` is the first of another call. */
function begins(open: OpenCall, id: string, name: string): boolean {
  if (id !== "" && open.id !== "") return id !== open.id;
  return name !== "" && isWhole(open.arguments);
}

function isWhole(text: string): boolean {
  return text.trimEnd().endsWith("}") && jsonIn(text) !== undefined;
}

/** Nine letters and digits: Mistral takes no other, and all take these. */
function newId(): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => letters[byte % letters.length]).join("");
}

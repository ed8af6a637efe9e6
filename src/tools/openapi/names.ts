import { DistinctNames, pythonMethod, pythonName } from "../python/python-names.js";

/** Hands out Python identifiers, each once: the second of a name gets `_2`. */
export class UniqueNames {
  readonly #names = new DistinctNames();

  /** The first of the wishes that is free, as an identifier, or the last with a number. */
  take(...wishes: readonly [string, ...string[]]): string {
    const identifiers = wishes.map(pythonName);
    return this.#names.take(identifiers.find((name) => !this.#names.has(name)) ?? identifiers.at(-1) ?? "x");
  }
}

/** The name of an operation without one of its own: `get_users_id` for `GET /users/{id}`. */
export function nameOfPath(method: string, path: string): string {
  const words = path.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return [method.toLowerCase(), ...words].join("_");
}

/** The name under which an operation is called: its id with `_` for what an identifier cannot hold; empty when nothing is left. */
export function operationName(operationId: string): string {
  const words = operationId.replace(/[^\p{L}\p{N}_]+/gu, "_").replace(/^_+|_+$/g, "");
  return words === "" ? "" : pythonMethod(words);
}

import type { Problem } from "../../protocol/index.js";
import type { OpenApiFault } from "./document.js";

/** What becomes of an operation that has a fault. */
export type Consequence = "is left out" | "goes without a part" | "can be called";

/** Operations that a message names. */
const NAMED = 5;

interface Group {
  readonly field: string;
  readonly operations: string[];
  readonly consequence: Consequence;
  readonly reason: string;
}

/**
 * What is wrong with a document, in the order in which it was found. What is wrong with many operations in the same way
 * is one problem, at the first of them: hundreds of a kind would hide the others.
 */
export class Faults {
  readonly #source: string;
  readonly #groups = new Map<string, Group>();

  constructor(source: string) {
    this.#source = source;
  }

  /** `operation` is what the fault is of, `GET /books` for instance. */
  add({ pointer, reason }: OpenApiFault, operation: string, consequence: Consequence): void {
    const key = `${consequence} ${reason}`;
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, { field: pointer, operations: [operation], consequence, reason });
    else if (group.operations.at(-1) !== operation) group.operations.push(operation);
  }

  problems(): Problem[] {
    return Array.from(this.#groups.values(), ({ field, operations, consequence, reason }) => {
      const message = `${sentence(operations, consequence)}: ${reason}`;
      return { file: this.#source, field, message, code: "OPENAPI" };
    });
  }
}

function sentence(operations: readonly string[], consequence: Consequence): string {
  const [only = ""] = operations;
  if (operations.length === 1) return `${only} ${consequence}`;
  const rest = operations.length - NAMED;
  const named = `${operations.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${String(rest)} more` : ""}`;
  return `${String(operations.length)} operations ${consequence === "is left out" ? "are left out" : "go without a part"} (${named})`;
}

import { auditMiddleware, type JournalEntry, type Stage } from "../src/dispatch/index.js";
import { toJson, type Json } from "./checks.js";

/** A call as the journal has it, with what the journal shortens in full. */
export interface MadeCall {
  readonly id: string;
  readonly namespace: JournalEntry["namespace"];
  /** Within its namespace: `orders.page`. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>>;
  readonly outcome:
    { readonly kind: "ok"; readonly value: Json } | { readonly kind: "error"; readonly message: string };
  /** Places in the order of all begins and ends of the run. */
  readonly began: number;
  readonly ended: number;
  /** The call in whose course it was made. */
  readonly parent: string | null;
}

/** Hears every call of a session, because the journal keeps summaries of what is long. */
export class CallListener {
  readonly #arguments = new Map<string, Readonly<Record<string, Json>>>();
  readonly #values = new Map<string, Json>();

  readonly stage: Stage = auditMiddleware({
    onBegin: (record) => {
      this.#arguments.set(record.id, jsonArguments(record.arguments));
    },
    onEnd: ({ id }, outcome) => {
      if (outcome.kind === "ok") this.#values.set(id, toJson(outcome.value));
    },
  });

  /** The calls that ended, in the order in which they began. */
  calls(entries: readonly JournalEntry[]): MadeCall[] {
    const began = new Map<string, number>();
    const ended = new Map<string, { readonly entry: JournalEntry; readonly place: number }>();
    entries.forEach((entry, place) => {
      if (!began.has(entry.id)) began.set(entry.id, place);
      if (entry.outcome.kind === "ok" || entry.outcome.kind === "error") ended.set(entry.id, { entry, place });
    });
    return [...began].flatMap(([id, place]) => {
      const end = ended.get(id);
      return end === undefined ? [] : [this.#made(end.entry, { began: place, ended: end.place })];
    });
  }

  #made(entry: JournalEntry, places: Pick<MadeCall, "began" | "ended">): MadeCall {
    const { id, namespace, name, parent, outcome } = entry;
    return {
      id,
      namespace,
      name,
      parent,
      // A call that was refused at the door never came to the middleware.
      arguments: this.#arguments.get(id) ?? jsonArguments(entry.arguments),
      outcome:
        outcome.kind === "error"
          ? { kind: "error", message: `${outcome.name}: ${outcome.message}` }
          : { kind: "ok", value: this.#values.get(id) ?? null },
      ...places,
    };
  }
}

function jsonArguments(args: Readonly<Record<string, unknown>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toJson(value)]));
}

import { auditMiddleware, type JournalEntry, type Stage } from "../src/dispatch/index.js";
import { toJson, type Json } from "./checks.js";

/** A call as the journal has it, with what the journal shortens in full. */
export interface MadeCall {
  readonly id: string;
  /** The run of code in which it was made. */
  readonly run: string;
  readonly namespace: JournalEntry["namespace"];
  /** Within its namespace: `orders.page`. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, Json>>;
  readonly outcome:
    | { readonly kind: "ok"; readonly value: Json }
    | { readonly kind: "error"; readonly message: string };
  /** Places in the order of all begins and ends of the run. */
  readonly began: number;
  readonly ended: number;
  /** The call in whose course it was made. */
  readonly parent: string | null;
  /** False where it was refused at the door, for its arguments for instance, so that its tool never heard of it. */
  readonly reached: boolean;
  /** Whether what was called says that it changes nothing; false of calls that were refused. */
  readonly isReadOnly: boolean;
}

/** Hears every call of a session, because the journal keeps summaries of what is long. */
export class CallListener {
  readonly #arguments = new Map<string, Readonly<Record<string, Json>>>();
  readonly #values = new Map<string, Json>();
  readonly #readOnly = new Set<string>();

  readonly #audit = auditMiddleware({
    onBegin: (record) => {
      this.#arguments.set(record.id, jsonArguments(record.arguments));
    },
    onEnd: ({ id }, outcome) => {
      if (outcome.kind === "ok") this.#values.set(id, toJson(outcome.value));
    },
  });

  readonly stage: Stage = (call, next) => {
    if (call.hints.readOnly === true) this.#readOnly.add(call.id);
    return this.#audit(call, next);
  };

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
    const { id, runId, namespace, name, parent, outcome } = entry;
    return {
      id,
      run: runId,
      namespace,
      name,
      parent,
      // A call that was refused at the door never came to the middleware.
      arguments: this.#arguments.get(id) ?? jsonArguments(entry.arguments),
      outcome:
        outcome.kind === "error"
          ? { kind: "error", message: `${outcome.name}: ${outcome.message}` }
          : { kind: "ok", value: this.#values.get(id) ?? null },
      reached: this.#arguments.has(id),
      isReadOnly: this.#readOnly.has(id),
      ...places,
    };
  }
}

function jsonArguments(args: Readonly<Record<string, unknown>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toJson(value)]));
}

/** The name of the function that stands for a call. */
export function functionName({ namespace, name }: Pick<MadeCall, "namespace" | "name">): string {
  if (namespace === "artifacts") return name === "list" ? "list_artifacts" : `${name}_artifact`;
  return name.replaceAll(".", "_");
}

export function isSameCall(one: MadeCall, other: MadeCall): boolean {
  return functionName(one) === functionName(other) && JSON.stringify(one.arguments) === JSON.stringify(other.arguments);
}

/** What a call answered, as a JSON agent reads it. */
export function resultText(outcome: MadeCall["outcome"]): string {
  if (outcome.kind === "error") return outcome.message;
  return typeof outcome.value === "string" ? outcome.value : JSON.stringify(outcome.value);
}

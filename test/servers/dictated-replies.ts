const PREFIX = "dictated-";

/** What the server says: text, or calls of tools. */
export type DictatedReply =
  | string
  | { readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[] };

/** What the server says, and what it does not take. */
export interface Dictation {
  readonly replies: readonly DictatedReply[];
  /** Requests with tools, or with a schema, are answered with 400. */
  readonly refuses?: "tools" | "schema";
}

/**
 * Name of a scenario in which the model server gives these replies, one after
 * the other. It carries them itself, so that a test in a browser can dictate.
 */
export function dictatedScenario(replies: readonly DictatedReply[], refuses?: Dictation["refuses"]): string {
  const dictation: Dictation = { replies, ...(refuses === undefined ? {} : { refuses }) };
  return PREFIX + encodeURIComponent(JSON.stringify(dictation));
}

/** Null for a scenario of another kind. */
export function readDictated(scenario: string): Dictation | null {
  if (!scenario.startsWith(PREFIX)) return null;
  return JSON.parse(decodeURIComponent(scenario.slice(PREFIX.length))) as Dictation;
}

import { PageError, type Json } from "./engine.js";

interface Outcome {
  readonly value?: Json;
  readonly error?: string;
}

/** An expression for a promise of text: the three drivers carry numbers, errors and undefined in three ways. */
export function asText(expression: string): string {
  return `(async () => {
  try {
    return JSON.stringify({ value: (await (${expression})) ?? null });
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.name + ": " + error.message : String(error) });
  }
})()`;
}

/** What {@link asText} came to. @throws {PageError} */
export function fromText(text: unknown): Json {
  if (typeof text !== "string") throw new PageError(`The page answered with ${JSON.stringify(text)}.`);
  const { value, error } = JSON.parse(text) as Outcome;
  if (error !== undefined) throw new PageError(error);
  return value ?? null;
}

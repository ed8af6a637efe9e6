import type { ModelAnswer } from "./model-exchange.js";

const PREFIX = "in-turn-";

/** How often each of these scenarios was asked for. */
const asked = new Map<string, number>();

/**
 * Name of a scenario in which the model server gives these answers, one to each request; the last again and again. It
 * carries them itself, so that a test in a browser can say what is to go wrong, and when.
 */
export function inTurnScenario(answers: readonly ModelAnswer[]): string {
  // Two tests that say the same have a turn each.
  return PREFIX + encodeURIComponent(JSON.stringify({ id: crypto.randomUUID(), answers }));
}

/** Null for a scenario of another kind. */
export function readInTurn(scenario: string): ModelAnswer | null {
  if (!scenario.startsWith(PREFIX)) return null;
  const { answers } = JSON.parse(decodeURIComponent(scenario.slice(PREFIX.length))) as { answers: ModelAnswer[] };
  const count = asked.get(scenario) ?? 0;
  asked.set(scenario, count + 1);
  return answers[count] ?? answers.at(-1) ?? null;
}

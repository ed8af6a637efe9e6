const PREFIX = "dictated-";

/**
 * Name of a scenario in which the model server gives these replies, one after
 * the other. It carries them itself, so that a test in a browser can dictate.
 */
export function dictatedScenario(replies: readonly string[]): string {
  return PREFIX + encodeURIComponent(JSON.stringify(replies));
}

/** Null for a scenario of another kind. */
export function readDictated(scenario: string): readonly string[] | null {
  if (!scenario.startsWith(PREFIX)) return null;
  return JSON.parse(decodeURIComponent(scenario.slice(PREFIX.length))) as readonly string[];
}

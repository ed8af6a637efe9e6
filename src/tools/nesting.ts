/**
 * Levels that a tool's definition may have. Deeper values do not cross to Python, and one such default would keep every
 * tool from being listed.
 */
export const DEEPEST_DEFINITION = 90;

/** Whether a value holds others more than so many levels deep. */
export function isNestedDeeper(value: unknown, levels = DEEPEST_DEFINITION): boolean {
  let inside = [value].filter(isContainer);
  for (let level = 0; inside.length > 0; level += 1) {
    if (level > levels) return true;
    inside = inside.flatMap((part) => Object.values(part).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Levels that a tool's definition may have. Deeper values do not cross to Python, and one such default would keep every
 * tool from being listed.
 */
export const DEEPEST_DEFINITION = 90;

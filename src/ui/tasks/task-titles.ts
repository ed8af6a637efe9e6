/** A few words for each task that the page offers, by its file, in the order in which it offers them. */
export const TASK_TITLES = {
  "clean-readings": "Clean a messy CSV and chart it",
  "revenue-by-category": "Walk a paged API and add it up",
  "monthly-use": "Write a skill and use it on other data",
  "kepler-report": "Report with a table and a picture",
  "reorder-list": "Ask many at once, mind who is silent",
  "gate-log": "Search a log with the shell and SQLite",
  "two-meters": "Share the work among agents",
  "stock-value": "Have a report made by contract",
  "mend-the-shop": "Find a bug, mend it, and undo it",
  "unit-converter": "Have files written by several models",
  "order-check": "Check a list of orders against a model",
} as const;

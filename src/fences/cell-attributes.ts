/**
 * What a fence may say of its cell, and a value with it or none. This list is the source: those of `examples/mkdocs`, `examples/sphinx`
 * and `examples/quarto` are packages of one file each, and a test holds them, and what the element reads, to it.
 */
export const CELL_ATTRIBUTES = {
  session: "value",
  setup: "value",
  deps: "value",
  packages: "value",
  files: "value",
  tools: "value",
  readonly: "flag",
  autorun: "flag",
  timeout: "value",
  trust: "value",
  hidden: "flag",
  expected: "flag",
  label: "value",
  demo: "value",
  "data-check": "value",
  id: "value",
} as const;

/** The same for the parts of a cell. */
export const PART_ATTRIBUTES = {
  output: [],
  setup: [],
  check: ["wants", "label"],
  solution: ["label"],
} as const;

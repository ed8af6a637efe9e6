import { defineBatch } from "../batch.js";

export const lending = defineBatch(
  {
    name: "lending",
    level: 5,
    prompt:
      "/workspace/README.md describes the Python package lending, of which nothing is there yet. Write its four modules and its tests " +
      "with write_codebase_tool, in one call of five files. The modules build on each other, and each imports those that it needs. " +
      "Change no other file.",
    fewestTests: 6,
    planted: {
      "no-limit": "a fee without its limit",
      "due-day": "that a book is overdue on its due day",
    },
    wrong: [
      { mistake: "a book is overdue on its due day", diff: "due-day", rejectedBy: ["hidden tests", "written tests"] },
      { mistake: "days are kept as another text", diff: "other-days", rejectedBy: ["hidden tests"] },
      { mistake: "the desk prints another sum", diff: "whole-fee", rejectedBy: ["hidden tests"] },
      { mistake: "the tests leave out what is refused", diff: "no-refusals", rejectedBy: ["written tests"] },
    ],
  },
  import.meta.glob<string>(["./tree/**", "./right/**", "./hidden/**", "./planted/**", "./**/*.diff"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

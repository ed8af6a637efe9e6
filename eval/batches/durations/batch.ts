import { defineBatch } from "../batch.js";

export const durations = defineBatch(
  {
    name: "durations",
    level: 3,
    prompt:
      "/workspace/README.md says what the Python package durations does, of which nothing is there yet. Write with " +
      "write_codebase_tool, in one call, durations/units.py, durations/text.py, which imports it, and tests/test_text.py: at least " +
      "five methods of unittest that try parse and render as the README describes them, so that a mistake in either is noticed. " +
      "Change no other file.",
    fewestTests: 5,
    planted: {
      "any-order": "that parse takes units in any order",
      "zeros-shown": "that render shows units of zero",
    },
    wrong: [
      {
        mistake: "a decimal number is read from its point on",
        diff: "searched",
        rejectedBy: ["hidden tests", "written tests"],
      },
      { mistake: "the tests try one text alone", diff: "few-texts", rejectedBy: ["written tests"] },
      { mistake: "the tests expect nothing", diff: "expects-nothing", rejectedBy: ["written tests"] },
      { mistake: "the README was changed as well", diff: "readme", rejectedBy: ["files"] },
    ],
  },
  import.meta.glob<string>(["./tree/**", "./right/**", "./hidden/**", "./planted/**", "./**/*.diff"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

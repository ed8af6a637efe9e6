import { defineProject } from "../project.js";

export const reckon = defineProject(
  {
    name: "reckon",
    prompt:
      "The Python project in /workspace computes sheets of sums. A test of its messages fails: a mistake at the beginning of a line is " +
      "told of the line before. Find the bug and fix it in the package reckon/, in a few lines. Change nothing else.",
    folder: "reckon",
    mostLines: 12,
    failing: ["tests.test_messages.MessageTest.test_at_the_beginning_of_a_later_line"],
    wrong: [
      { mistake: "the second line alone begins where it does", diff: "second-line", rejectedBy: ["hidden tests"] },
      { mistake: "messages correct what they are given", diff: "message-corrects", rejectedBy: ["hidden tests"] },
      { mistake: "the end of a line is told of the next one", diff: "ends-moved", rejectedBy: ["hidden tests"] },
      { mistake: "the test expects what is told", diff: "test-changed", rejectedBy: ["diff", "tests", "hidden tests"] },
    ],
  },
  import.meta.glob<string>(["./tree/**", "./hidden/**", "./**/*.diff"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

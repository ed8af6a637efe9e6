import { defineProject } from "../project.js";

export const stockroom = defineProject(
  {
    name: "stockroom",
    prompt:
      "The Python project in /workspace keeps stock from the command line. Its test of commands from a file fails: undo does not bring " +
      "back the pieces that were taken. Find the bug and fix it in the package stockroom/, in a few lines. Change nothing else.",
    folder: "stockroom",
    mostLines: 14,
    failing: ["tests.test_command_line.CommandLineTest.test_commands_of_a_file"],
    wrong: [
      { mistake: "taking alone can be undone", diff: "take-alone", rejectedBy: ["hidden tests"] },
      { mistake: "a state has no least numbers", diff: "least-lost", rejectedBy: ["hidden tests"] },
      {
        mistake: "the session copies, and a snapshot still changes",
        diff: "session-copies",
        rejectedBy: ["hidden tests"],
      },
      {
        mistake: "items are copied, and their shelves are not",
        diff: "shallow-items",
        rejectedBy: ["tests", "hidden tests"],
      },
      {
        mistake: "the commands of the test undo nothing",
        diff: "commands-changed",
        rejectedBy: ["diff", "tests", "hidden tests"],
      },
    ],
  },
  import.meta.glob<string>(["./tree/**", "./hidden/**", "./**/*.diff"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

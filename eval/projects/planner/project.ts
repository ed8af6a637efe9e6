import { defineProject } from "../project.js";

export const planner = defineProject(
  {
    name: "planner",
    prompt:
      "In the Python project in /workspace, a calendar, a test of the agenda fails: the rent of the last of January is paid too early " +
      "from March on. Find the bug and fix it in the package planner/, in a few lines. Change nothing else.",
    folder: "planner",
    mostLines: 12,
    failing: ["tests.test_agenda.AgendaTest.test_what_comes_on_the_last_day_of_a_month"],
    wrong: [
      { mistake: "the 31st alone is looked after", diff: "only-31", rejectedBy: ["hidden tests"] },
      {
        mistake: "the last day of a month leads to the last of the next",
        diff: "last-day-stays",
        rejectedBy: ["hidden tests"],
      },
      { mistake: "years are forgotten, and intervals of months", diff: "months-only", rejectedBy: ["hidden tests"] },
      {
        mistake: "the calendar of the test says it otherwise",
        diff: "calendar-changed",
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

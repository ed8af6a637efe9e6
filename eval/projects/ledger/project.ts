import { defineProject } from "../project.js";

export const ledger = defineProject(
  {
    name: "ledger",
    prompt:
      "A test of the Python project in /workspace fails: the total of a month with a refund is not what was spent. Find the bug and " +
      "fix it in the package ledger/, in a few lines. Change nothing else.",
    folder: "ledger",
    mostLines: 12,
    failing: ["tests.test_report.MonthReportTest.test_total_is_what_was_spent_after_a_refund"],
    wrong: [
      { mistake: "only the refund of the test is split", diff: "special-cased", rejectedBy: ["hidden tests"] },
      { mistake: "the report takes its total from elsewhere", diff: "report-total", rejectedBy: ["hidden tests"] },
      { mistake: "a refund adds up, but is not split as its purchase", diff: "floored", rejectedBy: ["hidden tests"] },
      {
        mistake: "the test tries an easier refund",
        diff: "test-changed",
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

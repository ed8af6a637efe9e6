import { defineProject } from "../project.js";

export const stencil = defineProject(
  {
    name: "stencil",
    prompt:
      "The Python project in /workspace is a library of text templates, and its test of mails fails: in the HTML of a mail a name is " +
      "not escaped. Find the bug and fix it in the package stencil/, in a few lines. Change nothing else.",
    folder: "stencil",
    mostLines: 12,
    failing: ["tests.test_mail.MailTest.test_an_order"],
    wrong: [
      { mistake: "the footer of the test is left out of the cache", diff: "footer", rejectedBy: ["hidden tests"] },
      { mistake: "a mail clears the cache between its bodies", diff: "mail-clears", rejectedBy: ["hidden tests"] },
      { mistake: "the cache knows its keys by who asked, too", diff: "keyed-by-asker", rejectedBy: ["hidden tests"] },
      { mistake: "there is no cache any more", diff: "uncached", rejectedBy: ["tests", "hidden tests"] },
      {
        mistake: "the template of the test includes nothing",
        diff: "example-changed",
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

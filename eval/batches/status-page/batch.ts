import { defineBatch } from "../batch.js";
import { logoCheck, pageCheck, styleCheck } from "./documents.js";

export const statusPage = defineBatch(
  {
    name: "status-page",
    level: 2,
    prompt: `Make a page of /workspace/services.json, with write_codebase_tool in one call:
- site/index.html, in English: the picture logo.svg, with a text in place of it; the heading "Status of our services"; a table whose
  caption says how many services are down ("1 of 3 services is down"), with a head, and in its body a row for each service, in
  the order of the file: its name, state and day, as they stand there; the class of a row is its state. No script, and no styles but
  those of style.css.
- site/style.css: the rows of services that are up have another colour than those that are down.
- site/logo.svg: a lighthouse with the view box 0 0 48 48, the title "Lighthouse", and a circle as its light; nothing but shapes.
Change no other file.`,
    documents: { "site/index.html": pageCheck, "site/style.css": styleCheck, "site/logo.svg": logoCheck },
    wrong: [
      { mistake: "a name is taken for a tag", diff: "unescaped", rejectedBy: ["documents"] },
      { mistake: "the picture is not closed", diff: "open-picture", rejectedBy: ["documents"] },
      { mistake: "one class has no rule", diff: "no-rule", rejectedBy: ["documents"] },
    ],
  },
  import.meta.glob<string>(["./tree/**", "./right/**", "./**/*.diff"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

import { defineBatch } from "../batch.js";

export const settings = defineBatch(
  {
    name: "settings",
    level: 3,
    prompt:
      "/workspace/README.md describes the settings of a mail robot. Write settings.toml, with the values that stand there, and " +
      "settings.py, which loads them with the standard library alone, with write_codebase_tool in one call. Change no other file.",
    wrong: [
      { mistake: "a truth value is true for any text", diff: "truthy", rejectedBy: ["hidden tests"] },
      { mistake: "the port is a text", diff: "port-text", rejectedBy: ["hidden tests"] },
      { mistake: "a table is there twice", diff: "table-twice", rejectedBy: ["documents", "hidden tests"] },
    ],
  },
  import.meta.glob<string>(["./tree/**", "./right/**", "./hidden/**", "./**/*.diff"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);

import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

import { describe, expect, test } from "vitest";

import { placeSamples } from "../../../.ci/place-samples.mjs";
import { loadToolFiles } from "../../../src/tools/index.js";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const samples = readdirSync(new URL("docs/samples", root));
/** What runs them: in sessions, and from the package. */
const tests = [
  ...readdirSync(new URL("test/browser/docs", root)).map((file) => `test/browser/docs/${file}`),
  "test/package/package.test.ts",
  "test/package/single-file.test.ts",
  "test/package/widget.test.ts",
]
  .map(read)
  .join("\n");

describe("a sample of the documents", () => {
  test.each(samples.filter((name) => extname(name) !== ".yaml"))("%s runs in a test", (name) => {
    const named = `docs/samples/${name.replace(/\.ts$/, ".js")}`;

    expect(tests).toMatch(new RegExp(`${named.replaceAll(".", "\\.")}(\\?raw)?"`));
  });

  test.each(samples.filter((name) => extname(name) === ".yaml"))("%s is a tool file without a problem", (file) => {
    const { adapters, problems } = loadToolFiles([{ file, text: read(`docs/samples/${file}`) }]);

    expect(problems).toEqual([]);
    expect(adapters).toHaveLength(1);
  });
});

describe("samples in a document", () => {
  const files = new Map([["a.ts", "one();\n"]]);
  const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

  test("stand below the line that names them, whatever stood there", () => {
    const document = (text: string): string => `# A\n\n<!-- sample: a.ts -->\n${fence("ts", text)}\n\nMore.\n`;

    expect(placeSamples(document("old();\nolder();"), files)).toEqual({
      text: document("one();"),
      shown: ["a.ts"],
      problems: [],
    });
  });

  test("are asked for where code is shown that no test runs, and not for what is typed or said", () => {
    const document = `${fence("ts", "old();")}\n${fence("sh", "npm start")}\n${fence("", "ValueError")}`;

    expect(placeSamples(document, files)).toEqual({
      text: document,
      shown: [],
      problems: ["1: ts is shown that no test runs: name a file of docs/samples/ above it."],
    });
  });

  test.each(["typescript", "javascript", "py", "tsx", "jsx", "yml", "mjs", "css"])(
    "are asked for in any language but those of what is typed: %s",
    (language) => {
      expect(placeSamples(fence(language, "old();"), files).problems).toEqual([
        `1: ${language} is shown that no test runs: name a file of docs/samples/ above it.`,
      ]);
    },
  );

  test.each([
    ["indented", "  ```ts\n  old();\n  ```"],
    ["with tildes", "~~~ts\nold();\n~~~"],
    ["with more than a language", '```ts title="a"\nold();\n```'],
    ["with four backquotes", "````ts\nold();\n````"],
    ["in a list", "- ```ts\n  old();\n  ```"],
    ["in a quotation", "> ```ts\n> old();\n> ```"],
  ])("are not missed in a block that is written otherwise: %s", (_, document) => {
    expect(placeSamples(document, files)).toMatchObject({
      text: document,
      problems: expect.arrayContaining([
        "1: a code block begins with three backquotes, at the margin, and a language alone.",
      ]),
    });
  });

  test.each([
    [`<!-- sample: b.ts -->\n${fence("ts", "old();")}`, "1: there is no docs/samples/b.ts."],
    ["<!-- sample: a.ts -->\n\nText.", "1: no code block follows."],
    ["```ts\nold();", "1: the code block has no end."],
  ])("that cannot be placed are problems: %s", (document, problem) => {
    expect(placeSamples(document, files)).toMatchObject({ text: document, problems: [problem] });
  });
});

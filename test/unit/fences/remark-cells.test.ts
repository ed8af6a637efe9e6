import { expect, test } from "vitest";

import { CellFenceError } from "../../../src/fences/index.js";
import { remarkVitrineCells, type MarkdownFile, type MarkdownNode } from "../../../src/fences/remark-cells.js";

const code = (lang: string, meta: string | null, value = "1"): MarkdownNode => ({
  type: "code",
  lang,
  meta,
  value,
  position: { start: { line: 3 } },
});

/** As HTML has it. */
function drawn(node: MarkdownNode): string {
  const within = (node.children ?? []).map(drawn).join("");
  if (node.type === "code") return `<pre ${node.lang ?? ""}>${node.value ?? ""}</pre>`;
  if (node.type === "text") return node.value ?? "";
  if (node.type !== "vitrineElement") return within;
  return JSON.stringify(node.data) + within;
}

function transformed(...children: MarkdownNode[]): string {
  const tree: MarkdownNode = { type: "root", children };
  remarkVitrineCells()(tree, { path: "guide/start.mdx" });
  return drawn(tree);
}

test("a fence becomes a cell around what the site draws of it, and fences that follow are its parts", () => {
  expect(
    transformed(
      code("python", 'vitrine session=tour deps="attrs rich" expected', "print(1)"),
      code("text", "vitrine-output", "1"),
      code("py", 'vitrine-check wants=a label="Right"', "assert a"),
      code("python", "vitrine-solution", "a = 1"),
      code("python", "vitrine-setup", "b = 1"),
    ),
  ).toBe(
    '{"hName":"vitrine-cell","hProperties":{"session":"tour","deps":"attrs rich","expected":""}}<pre python>print(1)</pre>' +
      '{"hName":"output","hProperties":{}}<pre text>1</pre>' +
      '{"hName":"div","hProperties":{"hidden":true,"slot":"check","data-wants":"a","data-label":"Right"}}<pre py>assert a</pre>' +
      '{"hName":"details","hProperties":{"slot":"solution"}}{"hName":"summary","hProperties":{}}Solution<pre python>a = 1</pre>' +
      '{"hName":"div","hProperties":{"hidden":true,"slot":"setup"}}<pre python>b = 1</pre>',
  );
});

test("fences in lists and quotations are found, and other fences stay as they are", () => {
  const list: MarkdownNode = { type: "list", children: [{ type: "listItem", children: [code("python", "vitrine")] }] };

  expect(transformed(list, code("js", "vitrines"), code("python", null))).toBe(
    '{"hName":"vitrine-cell","hProperties":{}}<pre python>1</pre><pre js>1</pre><pre python>1</pre>',
  );
});

test.each([
  [[code("python", "vitrine-check")], "guide/start.mdx, line 3: This check has no cell before it."],
  [[code("python", "vitrine sesion=a")], "guide/start.mdx, line 3: This fence does not know the attribute “sesion”."],
  [
    [code("python", "vitrine"), { type: "paragraph", children: [] }, code("text", "vitrine-output")],
    "guide/start.mdx, line 3: This output has no cell before it.",
  ],
] as [MarkdownNode[], string][])("what cannot be read ends the build, case %#", (children, says) => {
  expect(() => transformed(...children)).toThrow(CellFenceError);
  expect(() => transformed(...children)).toThrow(says);
});

test.each([
  [
    "Docusaurus",
    { value: "\n# Title\n", data: { frontMatter: { title: "Start" } } },
    "line 3 below the front matter: ",
  ],
  ["Docusaurus, a page without any", { value: "# Title\n", data: { frontMatter: {} } }, "line 3: "],
  [
    "Astro",
    { value: "# Title\n", data: { astro: { frontmatter: { title: "Start" } } } },
    "line 3 below the front matter: ",
  ],
  [
    "Astro, which left blank lines",
    { value: "   \n\n# A\n", data: { astro: { frontmatter: { title: "A" } } } },
    "line 3: ",
  ],
] as [string, MarkdownFile, string][])("an error says where front matter is not in the count: %s", (_, file, says) => {
  const tree: MarkdownNode = { type: "root", children: [code("python", "vitrine-check")] };

  expect(() => remarkVitrineCells()(tree, { path: "guide/start.mdx", ...file })).toThrow(`guide/start.mdx, ${says}`);
});

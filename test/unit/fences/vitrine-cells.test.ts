import MarkdownIt from "markdown-it";
import { createMarkdownRenderer } from "vitepress";
import { describe, expect, test } from "vitest";

import { CellFenceError, vitrineCells } from "../../../src/fences/index.js";

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;

function render(text: string, env?: object): string {
  return new MarkdownIt().use(vitrineCells).render(text, env);
}

function faultIn(text: string, env?: object): string {
  try {
    render(text, env);
  } catch (error) {
    if (error instanceof CellFenceError) return error.message;
    throw error;
  }
  return "";
}

test("a fence becomes a cell around what the site draws of it", () => {
  const html = render(
    `Before\n\n${fence('python vitrine session=tour deps="attrs rich>=13" expected', "print(1 < 2)")}\nAfter`,
  );

  expect(html).toBe(
    '<p>Before</p>\n<vitrine-cell session="tour" deps="attrs rich&gt;=13" expected>\n' +
      '<pre><code class="language-python">print(1 &lt; 2)\n</code></pre>\n</vitrine-cell>\n<p>After</p>\n',
  );
});

test("fences that follow are parts of the cell", () => {
  const html = render(
    [
      fence("py vitrine", "def mean(values): ..."),
      fence("text vitrine-output", "2.0"),
      fence('python vitrine-check wants="mean" label="The mean is right"', "assert mean([1, 3]) == 2"),
      fence("python vitrine-solution", "def mean(values): return sum(values) / len(values)"),
      fence("python vitrine-setup", "import math"),
      fence("python", "this is no cell"),
    ].join("\n"),
  );

  const cells = html.split("</vitrine-cell>");
  expect(cells).toHaveLength(2);
  expect(cells[0]).toContain('<output>\n<pre><code class="language-text">2.0\n</code></pre>\n</output>');
  expect(cells[0]).toContain('<div hidden slot="check" data-wants="mean" data-label="The mean is right">');
  expect(cells[0]).toContain('<details slot="solution"><summary>Solution</summary>');
  expect(cells[0]).toContain('<div hidden slot="setup">');
  expect(cells[1]).toContain("this is no cell");
});

test("a cell says what vitrine check leaves out of it", () => {
  const html = render(fence('python vitrine data-check="run: prints the time"', "print(time())"));

  expect(html).toContain('<vitrine-cell data-check="run: prints the time">');
});

test("two cells in a row are two", () => {
  const html = render(fence("python vitrine", "1") + fence("python vitrine", "2"));

  expect(html.match(/<vitrine-cell>/g)).toHaveLength(2);
  expect(html.match(/<\/vitrine-cell>/g)).toHaveLength(2);
});

test("a cell in a list ends with its item", () => {
  const html = render("- item\n\n  ```python vitrine\n  1\n  ```\n- next");

  expect(html.indexOf("</vitrine-cell>")).toBeLessThan(html.indexOf("</li>"));
});

test("other fences stay as they are", () => {
  const text = fence("python", "1") + fence("", "2") + fence("js title=vitrine", "3") + fence("js vitrines", "4");

  expect(render(text)).toBe(new MarkdownIt().render(text));
});

test("values cannot leave their attribute, and Vue finds no expression in them", () => {
  const html = render(fence(`python vitrine label='"><img src=x> {{ 1 + 1 }}'`, "1"));

  expect(html).toContain('label="&quot;&gt;&lt;img src=x&gt; &#123;&#123; 1 + 1 }}"');
});

test.each([
  ["python vitrine sesion=tour", /line 1: This fence does not know the attribute “sesion”\. It takes session, /],
  ["python vitrine-output deps=rich", /“deps”\. It takes none/],
  ['python vitrine label="no end', /“label="no end” cannot be read/],
  ["python vitrine session=a session=b", /“session” is given twice/],
  ["python vitrine onclick=alert(1)", /does not know the attribute “onclick”/],
  ["js vitrine", /“js” cannot be run/],
  ["python vitrine-chek", /“vitrine-chek” is no kind of fence\. There are vitrine, vitrine-output/],
  ["python vitrine-check", /This check has no cell before it/],
])("%s says what is wrong", (info, says) => {
  expect(faultIn(fence(info, "1"))).toMatch(says);
});

test("an error names the file and the line", () => {
  expect(faultIn(`# Title\n\n${fence("python vitrine-check", "1")}`, { relativePath: "guide/start.md" })).toMatch(
    /^guide\/start\.md, line 3: /,
  );
});

describe("the line of an error counts the front matter", () => {
  const page = ["---", "title: Start", "---", "", "# Title", "", fence("python vitrine-check", "1")];

  test("with a plugin that takes it off before the page is rendered", () => {
    const withoutFrontMatter = (markdown: MarkdownIt): void => {
      const render = markdown.render.bind(markdown);
      markdown.render = (text, env) => render(text.replace(/^---\r?\n[^]*?\n---\r?\n/, ""), env);
    };

    for (const end of ["\n", "\r\n"]) {
      const markdown = new MarkdownIt().use(withoutFrontMatter).use(vitrineCells);
      expect(() => markdown.render(page.join(end))).toThrow("Markdown, line 7: ");
      expect(() => markdown.render(page.slice(4).join(end))).toThrow("Markdown, line 3: ");
    }
  });

  test("in VitePress", async () => {
    const markdown = await createMarkdownRenderer(".", { config: (own) => void own.use(vitrineCells) });

    expect(() => markdown.render(page.join("\n"), { relativePath: "guide/start.md" })).toThrow(
      "guide/start.md, line 7: ",
    );
  });

  test("and is that of the text where another plugin changes what is below it", () => {
    const shouting = (markdown: MarkdownIt): void => {
      const render = markdown.render.bind(markdown);
      markdown.render = (text, env) => render(`${text}\nEnd`, env);
    };

    expect(() => new MarkdownIt().use(shouting).use(vitrineCells).render(fence("python vitrine-check", "1"))).toThrow(
      "Markdown, line 1: ",
    );
  });
});

test("a very long line is read at once", () => {
  expect(faultIn(fence(`python vitrine label="${"a ".repeat(100_000)}`, "1"))).toMatch(/cannot be read/);
});

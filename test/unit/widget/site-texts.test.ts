import { describe, expect, test } from "vitest";

import { parseJson, Slices } from "../../../src/protocol/index.js";
import { indexPassages } from "../../../src/ui/widget/agent-runtime/texts/index-passages.js";
import { markdownPassages } from "../../../src/ui/widget/agent-runtime/texts/markdown-passages.js";
import { LONGEST_PASSAGE, pieces } from "../../../src/ui/widget/agent-runtime/texts/passage.js";
import { PassageIndex, wordsOf } from "../../../src/ui/widget/agent-runtime/texts/passage-index.js";
import { plainText } from "../../../src/ui/widget/agent-runtime/texts/plain-text.js";
import { readText } from "../../../src/ui/widget/agent-runtime/texts/read-text.js";

const SITE = "https://docs.example.org/guide/llms.txt";

/** Characters that a hostile text is made of: what takes more than linear time does not come to an end with so many. */
const MANY = 2_000_000;

describe("Markdown of a site", () => {
  test("is cut at its headings, and a link with a note is a passage with the address of the link", async () => {
    const text = `# Lamps
> How to buy lamps.

## Docs
- [Start](start.md): Where to begin
- [Elsewhere](https://other.example/x.md)
* not a link

## Prices
A lamp costs 40.

\`\`\`python
# no heading
- [no](link)
\`\`\`
`;
    const { passages, links } = await markdownPassages(text, SITE, new Slices());
    expect(passages).toEqual([
      { title: "Lamps", url: SITE, text: "> How to buy lamps." },
      { title: "Start", url: "https://docs.example.org/guide/start.md", text: "Where to begin", words: "Lamps Docs" },
      { title: "Elsewhere", url: "https://other.example/x.md", text: "", words: "Lamps Docs" },
      { title: "Lamps › Docs", url: SITE, text: "* not a link" },
      {
        title: "Lamps › Prices",
        url: SITE,
        text: "A lamp costs 40.\n\n```python\n# no heading\n- [no](link)\n```",
      },
    ]);
    expect(links.map(({ url }) => url)).toEqual([
      "https://docs.example.org/guide/start.md",
      "https://other.example/x.md",
    ]);
  });

  test("has the address that an llms-full.txt gives below a heading", async () => {
    const text = "# One\nSource: https://docs.example.org/one\n\nFirst.\n# Two\nSource: javascript:alert(1)\n\nSecond.";
    const { passages } = await markdownPassages(text, SITE, new Slices());
    expect(passages[0]).toEqual({ title: "One", url: "https://docs.example.org/one", text: "First." });
    expect(passages[1]).toMatchObject({ title: "Two", url: "https://docs.example.org/one" });
  });

  test("names no page by an address that is none of the web", async () => {
    const text = "- [a](javascript:alert(1)): x\n- [b](data:text/html,x)\n- [c](file:///etc/passwd)";
    const { links } = await markdownPassages(text, SITE, new Slices());
    expect(links).toEqual([]);
  });

  test.each([
    ["brackets", "- [".repeat(MANY / 3)],
    ["a link without an end", `- [${"](".repeat(MANY / 2)}`],
    ["headings", "# a\n".repeat(MANY / 4)],
    ["marks of headings", "#".repeat(MANY)],
    ["fences", "```\n".repeat(MANY / 4)],
    ["empty lines", "\n".repeat(MANY)],
    ["blanks", " ".repeat(MANY)],
    ["links", "- [a](b): c\n".repeat(MANY / 12)],
  ])("that is nothing but %s is read in one go through it", async (_, text) => {
    const { passages, links } = await markdownPassages(text, SITE, new Slices());
    expect(passages.length).toBeLessThanOrEqual(50_000);
    expect(links.length).toBeLessThanOrEqual(50_000);
  });
});

describe("HTML in a text", () => {
  test("becomes what a reader sees of it", async () => {
    const html =
      "<h1>Lamps &amp; chairs</h1><script>alert('<p>no</p>')</script><p>A lamp<!-- <b>hidden</b> -->\n costs\u00A0<b>40</b>&#8239;kr &lt;now&gt;.</p>1 < 2<style>p{}</style>";
    expect(await plainText(html, new Slices())).toBe("Lamps & chairs\nA lamp\ncosts 40\u202Fkr <now>.\n1 < 2");
  });

  test("is text without it", async () => {
    expect(await plainText("a &lt; b &amp;&amp; c &unknown; &#0; &#xD800;", new Slices())).toBe(
      "a < b && c &unknown;    ",
    );
  });

  test.each([
    ["<", "<".repeat(MANY)],
    ["tags without an end", "<a ".repeat(MANY / 3)],
    ["comments without an end", "<!--".repeat(MANY / 4)],
    ["scripts without an end", "<script>".repeat(MANY / 8)],
    ["false ends of scripts", `<script>${"</scripts>".repeat(MANY / 10)}`],
    ["&", "&".repeat(MANY)],
    ["references", "&#x41;".repeat(MANY / 6)],
    ["blanks", `<p>${" \t".repeat(MANY / 2)}`],
  ])("of nothing but %s is read in one go through it", async (_, html) => {
    expect((await plainText(html, new Slices())).length).toBeLessThanOrEqual(MANY);
  });
});

describe("a search index", () => {
  const read = async (value: unknown, url = SITE) => indexPassages(parseJson(JSON.stringify(value)), url, new Slices());

  test("of MkDocs has addresses from the root of the site", async () => {
    const value = {
      config: { lang: ["en"] },
      docs: [
        { location: "", title: "Home", text: "<p>Welcome</p>" },
        { location: "prices/#lamps", title: "Lamps", text: "<p>A lamp costs <code>40</code>.</p>" },
      ],
    };
    const { passages } = await read(value, "https://docs.example.org/lib/search/search_index.json");
    expect(passages).toEqual([
      { title: "Home", url: "https://docs.example.org/lib/", text: "Welcome" },
      { title: "Lamps", url: "https://docs.example.org/lib/prices/#lamps", text: "A lamp costs 40." },
    ]);
  });

  test("may be a list, by the names that generators give the fields, and leaves out what is damaged", async () => {
    const { passages } = await read([
      { title: "One", url: "one.html", text: "First" },
      { title: "Two", href: "/two.html", section: "Part", content: "Second" },
      { title: 3, permalink: "three", body: "Third" },
      { title: "no address", text: "x" },
      null,
      "text",
      { title: "script", url: "javascript:alert(1)", text: "x" },
    ]);
    expect(passages).toEqual([
      { title: "One", url: "https://docs.example.org/guide/one.html", text: "First" },
      { title: "Two › Part", url: "https://docs.example.org/two.html", text: "Second" },
      { title: "", url: "https://docs.example.org/guide/three", text: "Third" },
    ]);
  });

  test("may have its entries by number", async () => {
    const { passages } = await read({ "0": { title: "One", content: "First", url: "/one/" } });
    expect(passages).toEqual([{ title: "One", url: "https://docs.example.org/one/", text: "First" }]);
  });

  test("of MiniSearch is found by its words, though it has no texts", async () => {
    const value = {
      documentCount: 2,
      nextId: 2,
      documentIds: { "0": "/guide#lamps", "1": "/other" },
      fieldIds: { title: 0, titles: 1, text: 2 },
      storedFields: { "0": { title: "Lamps", titles: ["Guide"] }, "1": { title: "Other", titles: [] } },
      index: [
        ["incandescent", { "2": { "0": 1 } }],
        ["chair", { "2": { "1": 3 } }],
        ["damaged", 7],
      ],
      serializationVersion: 2,
    };
    const { passages, links } = await read(value);
    const index = new PassageIndex();
    await index.add(passages, new Slices());
    expect(index.search("incandescent", 3)).toMatchObject([
      { title: "Guide › Lamps", url: "https://docs.example.org/guide#lamps", text: "" },
    ]);
    expect(links).toContainEqual({ title: "Guide › Lamps", url: "https://docs.example.org/guide" });
  });

  test.each([
    ["a list of nothing", []],
    ["a list of numbers", [1, 2]],
    ["an object of another kind", { version: 1 }],
    ["text", "text"],
    ["null", null],
    ["entries without addresses", { docs: [{ title: "x", text: "y" }] }],
  ])("that is %s is refused with a sentence", async (_, value) => {
    await expect(read(value)).rejects.toMatchObject({
      code: "SITE_TEXT",
      message: expect.stringContaining("MkDocs") as string,
    });
  });
});

describe("what a text is", () => {
  const read = async (text: string, url = SITE) => readText(new TextEncoder().encode(text), url, new Slices());

  test.each([
    ["", "it is empty"],
    ["<!doctype html><title>Not found</title>", "it is a web page"],
    ['Search.setIndex({"docnames":[]})', "the index of Sphinx, a script"],
    ["# Only\n## Headings", "nothing in it to be found"],
  ])("is told of %j", async (text, reason) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "SITE_TEXT",
      reason: expect.stringContaining(reason) as string,
    });
  });

  test("is told of a script, of JSON that is none, and of what is no text", async () => {
    await expect(read("export default '{}'", "https://a.example/index.js")).rejects.toThrow("it is a script");
    await expect(read("{broken", "https://a.example/index.json")).rejects.toThrow("is no JSON");
    await expect(readText(new Uint8Array([0xff, 0xfe, 0x00]), SITE, new Slices())).rejects.toThrow("not UTF-8 text");
  });

  test("is Markdown where it only begins like JSON", async () => {
    expect((await read("[Start](start.md) is where to begin.")).passages).toHaveLength(1);
  });
});

test("a long text is cut where a paragraph, a line or a sentence ends, and nothing of it is lost", () => {
  const sentence = "A lamp costs forty crowns. ";
  const all = [...pieces(sentence.repeat(500))];
  expect(all.every((piece) => piece.length <= LONGEST_PASSAGE && piece.endsWith("."))).toBe(true);
  expect(all.join(" ")).toBe(sentence.repeat(500).trim());
  expect([...pieces("😀".repeat(2000))].join("")).toBe("😀".repeat(2000));
});

test("words are found in any language, by their beginnings and with a slip", async () => {
  const index = new PassageIndex();
  const url = SITE;
  await index.add(
    [
      { title: "Lampen", url, text: "Eine Glühlampe kostet 40 Kronen." },
      { title: "readCsv", url, text: "Reads a table." },
      { title: "価格", url, text: "電球の価格は四十クローネです。" },
    ],
    new Slices(),
  );
  const best = (query: string) => index.search(query, 1)[0]?.title;
  expect([best("glühlampen"), best("csv"), best("電球の価格")]).toEqual(["Lampen", "readCsv", "価格"]);
  expect(index.search("", 5)).toEqual([]);
  expect(wordsOf("a".repeat(10_000))[0]).toHaveLength(60);
});

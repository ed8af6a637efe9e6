import { chmod, readdir, readlink, stat, symlink } from "node:fs/promises";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { cellsIn } from "../../../src/command-line/check-site/html-cells.js";
import { replaceFile, textOfFile } from "../../../src/command-line/check-site/replace-file.js";
import { whyNotWritten, withOutputs } from "../../../src/command-line/check-site/write-outputs.js";
import { TrialSite } from "./trial-site.js";

/** Each text into the cell of its place; undefined leaves that one alone. */
function write(html: string, ...texts: (string | undefined)[]): string {
  const cells = cellsIn(html);
  expect(cells).toHaveLength(texts.length);
  const outputs = texts.flatMap((text, at) => (text === undefined ? [] : [{ cell: cells[at]!, text }]));
  return withOutputs(html, outputs);
}

test("cells are found as a browser finds them, with their lines", () => {
  const html = `<!doctype html>
<!-- <vitrine-cell><pre>1</pre></vitrine-cell> -->
<script>"<vitrine-cell>"</script>
<template><vitrine-cell><pre>2</pre></vitrine-cell></template>
<VITRINE-CELL><pre>3</pre></VITRINE-CELL>
<div><p>text<vitrine-cell><template>4</template></vitrine-cell></div>
`;

  expect(cellsIn(html).map(({ line }) => line)).toEqual([5, 6]);
});

test("what is deeply nested is read", () => {
  const depth = 20_000;
  const html = `${"<div>".repeat(depth)}<vitrine-cell><pre>1</pre></vitrine-cell>`;

  expect(cellsIn(html)).toHaveLength(1);
});

describe("an output is written, and nothing else", () => {
  test.each([
    {
      what: "in place of the old one",
      before: "<vitrine-cell>\n  <pre>x</pre>\n  <output><pre>old</pre></output>\n</vitrine-cell >\n",
      text: "new\nlines",
      after: "<vitrine-cell>\n  <pre>x</pre>\n  <output><pre>new\nlines</pre></output>\n</vitrine-cell >\n",
    },
    {
      what: "in a new element, indented as the code is",
      before: "<vitrine-cell>\n\t<pre>x</pre>\n</vitrine-cell>",
      text: "1",
      after: "<vitrine-cell>\n\t<pre>x</pre>\n\t<output><pre>1</pre></output>\n</vitrine-cell>",
    },
    {
      what: "in a new element in the line of the code",
      before: "<p>é</p><vitrine-cell label='Ü &amp; x'><div class=hl><pre>x</pre></div></vitrine-cell>",
      text: "1",
      after:
        "<p>é</p><vitrine-cell label='Ü &amp; x'><div class=hl><pre>x</pre></div><output><pre>1</pre></output></vitrine-cell>",
    },
    {
      what: "with the characters of HTML as text",
      before: "<vitrine-cell><pre>x</pre><output><pre></pre></output></vitrine-cell>",
      text: "</pre><script>alert(1)</script> & &amp; 'a' \"b\"",
      after:
        "<vitrine-cell><pre>x</pre><output><pre>&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &amp;amp; 'a' \"b\"</pre></output></vitrine-cell>",
    },
    {
      what: "with the line ends of the file",
      before: "<vitrine-cell>\r\n<pre>x\r\ny</pre>\r\n</vitrine-cell>\r\n",
      text: "1\n2",
      after: "<vitrine-cell>\r\n<pre>x\r\ny</pre>\r\n<output><pre>1\r\n2</pre></output>\r\n</vitrine-cell>\r\n",
    },
    {
      what: "with an empty line at its start",
      before: "<vitrine-cell><pre>x</pre><output><pre>a</pre></output></vitrine-cell>",
      text: "\n1\rb",
      after: "<vitrine-cell><pre>x</pre><output><pre>\n\n1&#13;b</pre></output></vitrine-cell>",
    },
    {
      what: "in the innermost element, and without a highlighter's colours",
      before:
        '<vitrine-cell><pre>x</pre><output><div><pre class="a"><code><i>1</i>\n</code></pre></div></output></vitrine-cell>',
      text: "2",
      after: '<vitrine-cell><pre>x</pre><output><div><pre class="a"><code>2</code></pre></div></output></vitrine-cell>',
    },
    {
      what: "of one line where there is no <pre>",
      before: "<vitrine-cell><pre>x</pre><output>1</output></vitrine-cell>",
      text: "2",
      after: "<vitrine-cell><pre>x</pre><output>2</output></vitrine-cell>",
    },
    {
      what: "of several lines where there is no <pre>",
      before: "<vitrine-cell><pre>x</pre><output>1</output></vitrine-cell>",
      text: "2\n3",
      after: "<vitrine-cell><pre>x</pre><output><pre>2\n3</pre></output></vitrine-cell>",
    },
    {
      what: "behind a byte order mark",
      before: "\uFEFF<vitrine-cell><pre>x</pre><output><pre>1</pre></output></vitrine-cell>",
      text: "2",
      after: "\uFEFF<vitrine-cell><pre>x</pre><output><pre>2</pre></output></vitrine-cell>",
    },
  ])("$what", ({ before, text, after }) => {
    expect(write(before, text)).toBe(after);
  });

  test("for each of several cells", () => {
    const cell = (output: string): string => `<vitrine-cell><pre>x</pre><output>${output}</output></vitrine-cell>\n`;

    expect(write(cell("1") + cell("2") + cell("3"), "one", undefined, "three")).toBe(
      cell("one") + cell("2") + cell("three"),
    );
  });
});

test.each([
  { html: "<vitrine-cell></vitrine-cell>", why: "no tag closes its code" },
  { html: "<vitrine-cell><pre>x</pre><output>1</output><output>2</output></vitrine-cell>", why: "it has 2 <output>s" },
  { html: "<vitrine-cell><pre>x</pre><output>1</vitrine-cell>", why: "no tag closes its <output>" },
])("$html stays as it is: $why", ({ html, why }) => {
  expect(cellsIn(html).map(whyNotWritten)).toEqual([why]);
  expect(write(html, "new")).toBe(html);
});

describe("a file", () => {
  let site: TrialSite;
  beforeEach(async () => {
    site = await TrialSite.create();
  });
  afterEach(() => site.remove());

  async function read(name: string): Promise<{ path: string; bytes: Uint8Array }> {
    return { path: site.path(name), bytes: await site.bytes(name) };
  }

  test("is replaced with the rights that it has, and a link to it stays one", async () => {
    await site.write("page.html", "old");
    await chmod(site.path("page.html"), 0o640);
    await symlink("page.html", site.path("link.html"));

    expect(await replaceFile(await read("link.html"), "new")).toBe(true);

    expect(await site.read("page.html")).toBe("new");
    expect(await readlink(site.path("link.html"))).toBe("page.html");
    if (process.platform !== "win32") expect((await stat(site.path("page.html"))).mode & 0o777).toBe(0o640);
    expect((await readdir(site.path("."))).sort()).toEqual(["link.html", "page.html"]);
  });

  test("that has changed since it was read is left alone", async () => {
    await site.write("page.html", "old");
    const file = await read("page.html");
    await site.write("page.html", "of somebody else");

    expect(await replaceFile(file, "new")).toBe(false);

    expect(await site.read("page.html")).toBe("of somebody else");
    expect(await readdir(site.path("."))).toEqual(["page.html"]);
  });

  test("that is not UTF-8 has no text", () => {
    expect(textOfFile({ path: "", bytes: new Uint8Array([0xe9, 0x20]) })).toBeNull();
    expect(textOfFile({ path: "", bytes: new TextEncoder().encode("\uFEFFé") })).toBe("\uFEFFé");
  });
});

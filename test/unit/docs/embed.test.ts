import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const document = read("docs/embed.md");
const api = document.slice(document.indexOf("\n## API\n"));
const cell = read("src/ui/widget/cell/cell-element.ts");
const output = read("src/ui/widget/output/vitrine-output.ts");

/** Each group of a pattern, once. */
const all = (text: string, pattern: RegExp): string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([, name = ""]) => name)),
];

const exported = (path: string): string[] => [
  ...all(read(path), /^export (?:class|function) (\w+)/gm),
  ...all(read(path), /^export (?:type )?\{ ([^}]+) \}/gm).flatMap((names) =>
    names.split(", ").filter((name) => !name.startsWith("type ")),
  ),
];

/** Methods and accessors that a script of a page may use. */
const members = (source: string): string[] =>
  all(source.replaceAll(/@internal \*\/\n.+\n/g, ""), /^ {2}(?:async |get )?([a-z]\w+)\(/gm);

describe("docs/embed.md", () => {
  test("begins with the one tag", () => {
    expect(document.split("```html\n")[1]).toMatch(
      /^<script type="module" src="vitrine\/dist\/widget\.js"><\/script>\n/,
    );
  });

  test("ends with the API", () => {
    expect(all(document, /^## (.+)$/gm).at(-1)).toBe("API");
  });

  test.each([
    ["vitrine/widget", "src/ui/widget/index.ts"],
    ["vitrine/output", "src/ui/widget/output/index.ts"],
    ["vitrine/markdown-it", "src/fences/index.ts"],
    ["vitrine/remark", "src/fences/remark-cells.ts"],
  ])("names all that %s exports", (name, path) => {
    const [row = ""] = api.split("\n").filter((line) => line.startsWith(`| \`${name}\``));

    expect(exported(path).filter((each) => !row.includes(`\`${each}\``))).toEqual([]);
    expect(exported(path)).not.toEqual([]);
  });

  test("names each property, method and event of the elements", () => {
    const ofElements = /^(?:connected|disconnected|adopted|attribute|constructor)|^(?:if|for)$/;
    const named = [...members(cell), ...members(output)].filter((name) => !ofElements.test(name));

    expect(named).toEqual(expect.arrayContaining(["code", "run", "restart", "add"]));
    expect(named.filter((name) => !new RegExp(`^\\| \`${name}[\`(]`, "m").test(api))).toEqual([]);
    for (const event of all(cell, /@fires ([\w-]+)/g)) expect(api).toContain(`| \`${event}\` |`);
  });

  test("names each part and property of CSS", () => {
    const parts = all(cell, /@csspart (\w+)/g);
    const properties = all(cell, /@cssprop --vitrine([\w-]+)/g);

    expect([parts.length, properties.length]).toEqual([13, 12]);
    expect(parts.filter((part) => !document.includes(`\`${part}\``))).toEqual([]);
    expect(properties.filter((property) => !document.includes(`${property}\``))).toEqual([]);
  });
});

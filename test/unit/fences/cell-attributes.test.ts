import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { CELL_ATTRIBUTES, PART_ATTRIBUTES } from "../../../src/fences/cell-attributes.js";
import { SETTINGS } from "../../../src/ui/widget/shared/read-settings.js";

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const words = (text: string | undefined): string[] => (text ?? "").match(/[\w-]+/g) ?? [];
/** What is in a text between two others. */
const between = (text: string, before: string, after: string): string[] =>
  words(text.split(before)[1]?.split(after)[0]);

const all = Object.keys(CELL_ATTRIBUTES);
const those = (kind: "value" | "flag"): string[] =>
  Object.entries(CELL_ATTRIBUTES).flatMap(([name, is]) => (is === kind ? name : []));

/** Of any element, and so nothing that a cell's own documentation lists. */
const ofEveryElement = ["id"];
/** For the check of a site: the element does not read it. */
const ofTheCheck = ["data-check"];

describe("the attributes that a fence may give its cell", () => {
  test("are those that the cell reads", () => {
    const documented = Array.from(read("src/ui/widget/cell/cell-element.ts").matchAll(/@attr ([\w-]+) - /g)).map(
      ([, name]) => name,
    );

    expect(all.toSorted()).toEqual([...documented, ...ofEveryElement, ...ofTheCheck].toSorted());
    expect(all).toEqual(expect.arrayContaining([...SETTINGS]));
  });

  test("are those that docs/embed.md lists", () => {
    const [, table] = read("docs/embed.md").split("### Attributes\n\n| attribute | what it says |\n| --- | --- |\n");
    const listed = (table?.split("\n\n")[0] ?? "").split("\n").map((row) => words(row)[0]);

    expect(listed.toSorted()).toEqual(all.filter((name) => !ofEveryElement.includes(name)).toSorted());
  });

  test("are those of the extension of Python-Markdown", () => {
    const source = read("examples/mkdocs/vitrine_mkdocs/__init__.py");

    expect(between(source, "_CELL = (", ").split()").toSorted()).toEqual(all.toSorted());
    for (const [part, attributes] of Object.entries(PART_ATTRIBUTES)) {
      expect(between(source, `"vitrine-${part}": [`, "]")).toEqual(attributes);
    }
  });

  test("are those of the filter of Quarto, each with a value or without one", () => {
    const source = read("examples/quarto/_extensions/vitrine/vitrine.lua");

    // An id is written as pandoc writes it, `#name`.
    const values = those("value").filter((name) => !ofEveryElement.includes(name));
    expect(between(source, 'VALUES = "', '"').toSorted()).toEqual(values.toSorted());
    expect(between(source, 'FLAGS = "', '"').toSorted()).toEqual(those("flag").toSorted());
    for (const [part, attributes] of Object.entries(PART_ATTRIBUTES)) {
      expect(between(source, `["vitrine-${part}"] = "`, '"')).toEqual(attributes);
    }
  });

  test("are those of the directive of Sphinx, each with a value or without one", () => {
    const source = read("examples/sphinx/vitrine_sphinx/__init__.py");

    expect(between(source, '_TEXTS = "', '".split()').toSorted()).toEqual(those("value").toSorted());
    expect(between(source, '_FLAGS = "', '".split()').toSorted()).toEqual(those("flag").toSorted());
    for (const [part, attributes] of Object.entries(PART_ATTRIBUTES)) {
      const name = /add_directive\("vitrine-(\w+)", (\w+)\)/g;
      const directive = Array.from(source.matchAll(name)).find(([, of]) => of === part)?.[2] ?? "";
      const [, options = ""] =
        new RegExp(`class ${directive}\\((?:(?!\\nclass )[^])*?option_spec[^{]*\\{([^}]*)\\}`).exec(source) ?? [];

      expect([...options.matchAll(/"(\w+)": directives/g)].map(([, each]) => each)).toEqual(attributes);
      expect(directive).not.toBe("");
    }
  });
});

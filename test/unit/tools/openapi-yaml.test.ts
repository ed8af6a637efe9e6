import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { parseDocument } from "../../../src/tools/openapi/parse-document.js";

const require = createRequire(import.meta.url);

describe("YAML documents", () => {
  test.each([
    "@figma/rest-api-spec/openapi/openapi.yaml",
    "@readme/oas-examples/3.0/yaml/star-trek.yaml",
    "@readme/oas-examples/3.1/yaml/train-travel.yaml",
    "@readme/oas-examples/3.1/yaml/readme.yaml",
  ])("%s holds what the yaml package reads in it", (path) => {
    const text = readFileSync(require.resolve(path), "utf8");

    expect(parseDocument("x", text).root).toEqual(parse(text));
  });

  test("are read by the core schema, with tags passed over, merges and dates left alone, and keys that are their own", () => {
    const text = [
      "yes: yes",
      "date: 2026-11-25",
      "octal: 0o10",
      "200: { description: ok }",
      "included: !include other.yaml",
      "stamp: !!timestamp 2026-11-25",
      "set: !!set { a, b }",
      "<<: { a: 1 }",
      "__proto__: { polluted: true }",
    ].join("\n");

    const { root } = parseDocument("x", text);

    expect(JSON.parse(JSON.stringify(root))).toEqual(
      JSON.parse(
        '{"200":{"description":"ok"},"yes":"yes","date":"2026-11-25","octal":8,"included":"other.yaml",' +
          '"stamp":"2026-11-25","set":{"a":null,"b":null},"<<":{"a":1},"__proto__":{"polluted":true}}',
      ),
    );
    expect(Object.getPrototypeOf(root)).toBe(Object.prototype);
  });

  test.each([
    { what: "of two keys alike", text: "a: 1\na: 2\n", line: 2, reason: "duplicated mapping key" },
    { what: "with an alias to nothing", text: "a:\n  - *none\n", line: 2, reason: 'unidentified alias "none"' },
    {
      what: "with a list for a key",
      text: "a: 1\n[b]: 2\n",
      line: undefined,
      reason: "a list or mapping cannot be a key",
    },
    { what: "after another one", text: "a: 1\n---\nb: 2\n", line: undefined, reason: "more than one document" },
    { what: "too many levels deep", text: "[".repeat(2000), line: 1, reason: "nested more than 500 levels deep" },
    { what: "broken off", text: "a: 1\nb: [2,\n", line: 3, reason: "deficient indentation" },
  ])("$what are refused, with the line", ({ text, line, reason }) => {
    expect(() => parseDocument("x", text)).toThrow(
      expect.objectContaining({ code: "OPENAPI_DOCUMENT", line, reason: expect.stringContaining(reason) }),
    );
  });

  test("know the lines of their parts, and of what should hold a part that is missing", () => {
    const text = "\uFEFFa:\n  'b/c':\n    - 1\n    - d: 2\n\n      e: [3,\n        4]\n";
    const { lineOf } = parseDocument("x", text);

    expect(["", "/a", "/a/b~1c", "/a/b~1c/1", "/a/b~1c/1/e", "/a/b~1c/1/e/1", "/a/b~1c/1/f/g"].map(lineOf)).toEqual([
      1, 1, 2, 4, 6, 7, 4,
    ]);
  });
});

describe("aliases are bounded before anything is made of them", () => {
  test("in number", () => {
    const bomb = [
      "&a0 [x]",
      ...Array.from({ length: 9 }, (_, level) => `&a${String(level + 1)} [${`*a${String(level)}, `.repeat(9)}]`),
    ]
      .map((item, level) => `a${String(level)}: ${item}`)
      .join("\n");

    expect(() => parseDocument("x", bomb)).toThrow(
      expect.objectContaining({ line: 4, reason: "it is not valid YAML: its aliases stand for too much" }),
    );
  });

  test("in size, however few they are", () => {
    const text = `a: &a ${"x".repeat(2_000_000)}\nb:\n${"  - *a\n".repeat(60)}`;

    expect(() => parseDocument("x", text)).toThrow(
      expect.objectContaining({ line: 52, reason: expect.stringContaining("stand for too much") }),
    );
  });

  test("in depth", () => {
    const nested = (levels: number): string =>
      ["a: &a x", "b: *a"]
        .map((text) => text.replace(/(\*a|x)$/, `${"[".repeat(levels)}$1${"]".repeat(levels)}`))
        .join("\n");

    expect(() => parseDocument("x", nested(200))).not.toThrow();
    expect(() => parseDocument("x", nested(300))).toThrow(
      expect.objectContaining({ line: 2, reason: expect.stringContaining("nested more than 500 levels deep") }),
    );
  });
});

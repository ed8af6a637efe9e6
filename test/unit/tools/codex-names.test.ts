import { describe, expect, test } from "vitest";

import type { Tool } from "../../../src/index.js";
import { serverNames } from "../../../src/tools/python/server-names.js";
import { sha1 } from "../../../src/tools/python/sha1.js";

function server(name: string, ...tools: string[]): Tool {
  const callables = tools.map((tool) => ({ name: tool, description: "", parameters: [] }));
  return { name, description: "", tags: [], hints: {}, timeout: 1000, callables, isServer: true };
}

const namesOf = (tool: Tool): string[] => [...serverNames(tool).keys()];

describe("sha1", () => {
  test.each([
    ["", "da39a3ee5e6b4b0d3255bfef95601890afd80709"],
    ["abc", "a9993e364706816aba3e25717850c26c9cd0d89d"],
    ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"],
    ["a".repeat(1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"],
  ])("of %j", (text, hash) => {
    expect(sha1(text)).toBe(hash);
  });
});

describe("tools of servers as mcp__server__tool", () => {
  test("are Python names", () => {
    expect(namesOf(server("web", "fetch", "get-page", "get.page", "class"))).toEqual([
      "mcp__web__fetch",
      "mcp__web__get_page",
      "mcp__web__get_page_2",
      "mcp__web__class",
    ]);
  });

  test("over 64 characters are cut, and end with their hash (X15)", () => {
    const name = `${"long_".repeat(12)}tool`;
    const whole = `mcp__web__${name}`;

    const [cut = ""] = namesOf(server("web", name));

    expect(cut).toBe(whole.slice(0, 24) + sha1(whole));
    expect(cut).toHaveLength(64);
    expect(namesOf(server("web", name))).toEqual([cut]);
    expect(namesOf(server("web", "x".repeat(64 - "mcp__web__".length)))[0]).toBe(`mcp__web__${"x".repeat(54)}`);
  });

  test("are those of servers alone", () => {
    expect([...serverNames({ ...server("web", "fetch"), isServer: false })]).toEqual([]);
  });
});

import { expect, test } from "vitest";

import { fencedJson } from "../../../src/agent/index.js";

const F = "```";

test("blocks of JSON are found in their order, apart from those without a tag", () => {
  const reply = [
    `Look: ${F}json`,
    '{"a": 1}',
    F,
    `${F}python`,
    'text = """',
    `  ${F} json`,
    '{"b": 2}',
    `  ${F}`,
    '"""',
    F,
    `${F}\r\n[3]\r\n${F}\r\nThe end, with ${F}json {"c": 4} ${F} in it.`,
    `${F}JSON`,
    '{"never": "closed"}',
  ].join("\n");

  expect(fencedJson(reply).tagged).toEqual(['{"a": 1}', '{"b": 2}']);
  expect(fencedJson(`${F}python\nx\n${F}\n${F}\n[3]\n${F}`)).toEqual({ tagged: [], untagged: ["[3]"] });
});

test("a reply of nothing but fences is read in time that grows with it and no faster", () => {
  // A reading that grows with the square of the length would not end within the limit of a test.
  for (const line of [`x${F}\n`, `${F}json\n`, `${F}${" ".repeat(20)}x\n`, F]) {
    expect(fencedJson(line.repeat(1_000_000)).tagged).toEqual([]);
  }
});

import { expect, test } from "vitest";

import { parseReply, plainReply } from "../../../src/agent/react/parse-reply.js";

const F = "```";
const million = (text: string): string => text.repeat(1_000_000);
const asked = '{"tool": "add", "arguments": {}}';

// Where the work grew with the square of the length, each of these would take hours.
test.each([
  ["nothing but fences", million(`${F}\n`)],
  ["fences that never end", million(`${F}a b\n${F}x\n`)],
  ["tagged fences", million(`${F}json\n`)],
  ["fences behind a word", million(`x${F}\n`)],
  ["fences on one line", million(F)],
  ["backticks", million("`")],
  ["blanks behind a fence", `${F}${million(" ")}x`],
  ["a tag without end", `${F}${million("a")}`],
  ["opening tags of thoughts", million("<think>")],
  ["thoughts that never end", million(`<think>\n${F}\n`)],
  ["thoughts that end in a string", million("</think>'")],
  ["thoughts that end behind a fence", million(`${F}</think>\n`)],
  ["brackets", million("[")],
  ["backslashes", `"${million("\\")}`],
])("a reply of a million times %s is read to its end", (_, reply) => {
  expect(parseReply(reply)).toEqual({ kind: "bad" });
});

test("a call is found among a million blanks, and behind as many thoughts", () => {
  const call = { kind: "calls", scratchpad: null, calls: [{ name: "add", arguments: {} }] };

  expect(parseReply(`${F}json\n${million("\n")}${asked}${million("\n")}${F}`)).toEqual(call);
  expect(parseReply(`<think>${million("hm\n")}</think>${F}\n${asked}\n${F}`)).toEqual(call);
  expect(plainReply(`${million("\n")}${F}json\n${asked}\n${million("`")}`)).toBe(asked);
});

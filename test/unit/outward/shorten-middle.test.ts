import { expect, test } from "vitest";

import { shortenMiddle } from "../../../src/outward/shorten-middle.js";

test("a text that is short enough stays as it is, of a longer one the middle is left out", () => {
  expect(shortenMiddle("0123456789", 10)).toBe("0123456789");
  expect(shortenMiddle("0123456789", 4)).toBe("01…6 chars truncated…89");
  expect(shortenMiddle("0123456789", 5)).toBe("01…5 chars truncated…789");
  expect(shortenMiddle("0123456789", 0)).toBe("…10 chars truncated…");
});

test("no character is cut in two", () => {
  const text = "😀".repeat(10);
  for (let length = 0; length < text.length; length += 1) {
    const [head = "", count = "", tail = ""] = shortenMiddle(text, length).split(/…(\d+) chars truncated…/);

    expect(`${head}${tail}`.isWellFormed()).toBe(true);
    expect(head.length + Number(count) + tail.length).toBe(text.length);
    expect(head.length + tail.length).toBeLessThanOrEqual(length);
  }
});

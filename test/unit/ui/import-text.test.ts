import { expect, test } from "vitest";

import { importText } from "../../../src/ui/state/text/import-text.js";

test("an import is told in words that change a few times, with counts beside them", () => {
  expect(importText(undefined)).toEqual({ phase: "Asking for its functions …", count: "" });
  expect(importText({ phase: "fetching", done: 0, total: undefined }).phase).toBe("Fetching the document …");
  expect(importText({ phase: "reading", done: 0, total: 10_092_817 })).toEqual({
    phase: "Reading the document …",
    count: "10 MB",
  });
  expect(importText({ phase: "making", done: 300, total: 1200 })).toEqual({
    phase: "Making functions …",
    count: "300 of 1,200 operations",
  });
});

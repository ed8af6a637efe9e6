import { describe, expect, test } from "vitest";

import { validateContent } from "../../../src/content/index.js";

describe("JSON", () => {
  test("is valid, with its type, its length and its depth", async () => {
    const report = await validateContent({ text: '{"a": [1, {"b": null}], "c": "]"}', format: "json" });

    expect(report).toEqual({
      ...{ kind: "valid", format: "json", size: 33, checked: "content" },
      facts: { format: "json", type: "object", length: 2, depth: 3 },
    });
  });

  test("G43: a text that is not JSON is invalid, with line and column", async () => {
    const report = await validateContent({ text: '{\n  "a": 1,\n  "b": oops\n}', format: "json" });

    expect(report).toMatchObject({ kind: "invalid", code: "json_parse_failed", line: 3, column: 8 });
    expect(report).toMatchObject({ message: expect.stringMatching(/^json_parse_failed: \S/) });
  });
});

import { describe, expect, test } from "vitest";

import { readClaim, type ContentClaim } from "../../../src/content/content-format.js";

const claims: readonly (readonly [ContentClaim, string])[] = [
  [{ format: "markdown" }, "markdown"],
  [{ format: " JSON " }, "json"],
  [{ mime: "text/csv; charset=utf-8" }, "csv"],
  [{ mime: "application/ld+json" }, "json"],
  [{ mime: "application/atom+xml" }, "xml"],
  [{ mime: "image/svg+xml" }, "svg"],
  [{ mime: "text/x-anything" }, "text"],
  [{ mime: "text/css" }, "css"],
  [{ filename: "pyproject.toml" }, "toml"],
  [{ filename: "page.css", mime: "text/plain" }, "text"],
  [{ mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" }, "xlsx"],
  [{ filename: "out/Report.PDF" }, "pdf"],
  [{ filename: "archive.tar/readme" }, "unknown"],
  [{ filename: "data.bin", mime: "application/octet-stream" }, "unknown"],
  [{ format: "html", mime: "text/plain" }, "html"],
  [{ format: "no such format", mime: "image/png", filename: "a.csv" }, "png"],
  [{ mime: "application/x-own", filename: "table.xlsx" }, "xlsx"],
  [{}, "unknown"],
];

describe("what content is said to be", () => {
  test.each(claims)("%j is %s", (claim, format) => {
    expect(readClaim(claim).format).toBe(format);
  });

  test("a MIME type or an ending of another format is a contradiction (G41)", () => {
    expect(readClaim({ format: "json", mime: "application/pdf", filename: "a.csv" })).toEqual({
      ...{ format: "json", otherMime: "pdf", otherEnding: "csv" },
    });
  });

  test.each([
    { format: "csv", mime: "text/plain", filename: "a.txt" },
    { format: "text", mime: "text/plain", filename: "a.json" },
    { format: "svg", mime: "application/xml" },
    { format: "css", mime: "text/plain", filename: "a.css" },
    { format: "text", filename: "pyproject.toml" },
    { format: "xlsx", mime: "application/zip" },
    { format: "png", mime: "application/octet-stream", filename: "a" },
  ])("$format, $mime and $filename agree: one says no more than the other", (claim) => {
    expect(readClaim(claim)).toMatchObject({ otherMime: undefined, otherEnding: undefined });
  });
});

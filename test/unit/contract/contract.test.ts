import { describe, expect, test } from "vitest";

import { parseContract, parseTurnContract } from "../../../src/contract/index.js";
import { parseArtifacts } from "../../../src/codegen/execute-code.js";
import type { Value } from "../../../src/protocol/index.js";

const inline = { type: "inline", format: "markdown", description: "What was found." };
const file = { type: "file", filename: "out/report.csv", mime: "text/csv", description: "Rows." };

function fault(given: Value): unknown {
  try {
    parseContract(given);
  } catch (error) {
    return error;
  }
  return null;
}

describe("a contract", () => {
  test("is read entry by entry, in its order (G3)", () => {
    expect([...parseContract({ summary: inline, report: file })]).toEqual([
      ["summary", inline],
      ["report", file],
    ]);
  });

  test("that is missing or empty is missing_parameters (G4)", () => {
    for (const given of [undefined, null, "", {}, "{}"])
      expect(fault(given)).toMatchObject({ code: "missing_parameters" });
  });

  test("may be JSON, and is invalid where that is none or no dict (G5, G6)", () => {
    expect(parseContract(JSON.stringify({ summary: inline })).get("summary")).toEqual(inline);
    for (const given of ["{", "[]", "1", [inline], 3, true]) {
      expect(fault(given)).toMatchObject({ code: "invalid_output_contract" });
    }
  });

  test("that is longer than it may be is refused before any of it is read (G5)", () => {
    const long = `{"a": ${"[],".repeat(1_000_000)}`;
    const files = Array.from({ length: 51 }, (_, n) => ({ ...file, name: `f${String(n)}`, filename: `f${String(n)}` }));
    const refusal = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        return error;
      }
    };

    expect(fault(long)).toMatchObject({ code: "invalid_output_contract", message: expect.stringContaining("200,000") });
    expect(fault({ a: { ...inline, description: "x".repeat(20_001) } })).toMatchObject({
      code: "invalid_artifact_spec",
      field: "description",
    });
    expect(refusal(() => parseArtifacts(long))).toMatchObject({
      code: "invalid_artifacts_json",
      message: expect.stringContaining("200,000"),
    });
    expect(refusal(() => parseArtifacts(files))).toMatchObject({
      code: "invalid_artifacts",
      message: expect.stringContaining("50"),
    });
    expect(refusal(() => parseTurnContract(long))).toMatchObject({
      code: "invalid_output_contract",
      message: expect.stringContaining("200,000"),
    });
  });

  test.each([
    ["format", { a: { type: "inline" } }],
    ["format", { a: { ...inline, format: "docx" } }],
    ["filename", { a: { ...file, filename: "" } }],
    ["mime", { a: { type: "file", filename: "a.csv" } }],
    ["mime", { a: { ...file, mime: "csv" } }],
    ["type", { a: { ...inline, type: "slot" } }],
    ["type", { a: "text" }],
    ["description", { a: { ...inline, description: 3 } }],
  ])("an entry that is none names entry and field %s (G7)", (field, given) => {
    expect(fault(given)).toMatchObject({ code: "invalid_artifact_spec", entry: "a", field });
  });

  test("ids are snake_case (G7)", () => {
    for (const id of ["Report", "a-b", "1a", "a b", "__proto__"]) {
      expect(fault(Object.fromEntries([[id, inline]]))).toMatchObject({ code: "invalid_artifact_spec", entry: id });
    }
  });

  test("a filename stays within its folder (G8)", () => {
    for (const filename of ["/etc/passwd", "../a", "a/../../b", "a\\b", "a//b"]) {
      expect(fault({ a: { ...file, filename } })).toMatchObject({ code: "invalid_filename", entry: "a" });
    }
  });

  test("two entries have two filenames (G10)", () => {
    const other = { ...file, filename: "out/Report.csv" };
    expect(fault({ a: file, b: other })).toMatchObject({ code: "duplicate_filename", entry: "b" });
  });

  test("project_log is the run's own (G11)", () => {
    expect(fault({ project_log: inline })).toMatchObject({ code: "reserved_artifact_id" });
  });
});

test("a row that lacks one of its four fields, or leads out of its folder, is refused by its field (G92)", () => {
  const row = { name: "a", filename: "a.csv", mime: "text/csv", description: "x" };

  for (const field of Object.keys(row)) {
    for (const value of [undefined, "", 3]) {
      expect(() => parseArtifacts([{ ...row, [field]: value }])).toThrow(
        expect.objectContaining({ code: "invalid_artifact_spec", entry: "0", field }),
      );
    }
  }
  for (const wrong of [{ filename: "../x" }, { filename: "/x" }, { name: "../x" }]) {
    expect(() => parseArtifacts([{ ...row, ...wrong }])).toThrow(expect.objectContaining({ code: "invalid_filename" }));
  }
});

test("two promised files of one name are refused (G92)", () => {
  const row = { name: "a", filename: "a.csv", mime: "text/csv", description: "x" };

  expect(() => parseArtifacts([row, { ...row, name: "b" }])).toThrow(expect.objectContaining({ field: "filename" }));
  expect(() => parseArtifacts([row, { ...row, filename: "b.csv" }])).toThrow(
    expect.objectContaining({ field: "name" }),
  );
});

import { describe, expect, test } from "vitest";

import { parseContract } from "../../../src/contract/index.js";
import {
  boundedWarnings,
  makeItems,
  uncontracted,
  type CodegenItem,
  type ItemParts,
} from "../../../src/codegen/outcome/items.js";
import type { PlainJson } from "../../../src/codegen/plain-json.js";
import type { ArtifactPayload } from "../../../src/codegen/outcome/program-state.js";
import { SourcePool } from "../../../src/codegen/sources/sources.js";
import type { Value } from "../../../src/protocol/index.js";

const inline = (format: string) => ({ type: "inline", format, description: "" });

function ended(artifacts: Record<string, ArtifactPayload>): ItemParts["end"] {
  const made = new Map(Object.entries(artifacts));
  return { objective: "", artifacts: made, refused: new Map(), error: null, areDrafts: false, warnings: [] };
}

function items(contract: Value, artifacts: Record<string, ArtifactPayload>, parts: Partial<ItemParts> = {}) {
  return makeItems({
    contract: parseContract(contract),
    end: ended(artifacts),
    sources: new SourcePool(),
    outputDir: "/workspace/codegen/cg-1",
    readFile: () => Promise.resolve(undefined),
    checkContent: () => Promise.resolve({ kind: "valid" }),
    errorLog: "",
    ...parts,
  });
}

const textOf = ([item]: readonly CodegenItem[]): string => item?.output?.text ?? "";

test("what could not be looked into is kept, and says why", async () => {
  const made = await items(
    { text: inline("text") },
    { text: { type: "inline", value: "x" } },
    { checkContent: () => Promise.reject(new Error("The checker is gone.")) },
  );

  expect(made).toMatchObject([
    { status: "success", output: { text: "x" }, warnings: ["not_checked: The checker is gone."] },
  ]);
});

describe("one artifact at fault costs no other", () => {
  test("JSON that is nested deeper than anybody reads (G43)", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const made = await items(
      { a: inline("json"), b: inline("text") },
      { a: { type: "inline", value: deep }, b: { type: "inline", value: "fine" } },
    );

    expect(made).toMatchObject([
      { artifactId: "a", status: "error", output: null, error: { error: "artifact_invalid", managed: true } },
      { artifactId: "b", status: "success", output: { text: "fine" } },
    ]);
    expect(made[0]?.error?.description).toMatch(/^nested_too_deep/);
  });

  test("what fails while it is looked at", async () => {
    const made = await items(
      { a: { type: "file", filename: "a.csv", mime: "text/csv", description: "" }, b: inline("text") },
      { a: { type: "file", path: "a.csv" }, b: { type: "inline", value: "fine" } },
      {
        checkContent: (content) => {
          if (typeof content !== "string") throw new RangeError("Too much.");
          return Promise.resolve({ kind: "valid" });
        },
        readFile: () => Promise.resolve(new Uint8Array(1)),
      },
    );

    expect(made).toMatchObject([
      { status: "error", error: { error: "artifact_invalid", description: "unreadable: Too much." } },
      { status: "success" },
    ]);
  });
});

describe("what a program says of what it made is bounded", () => {
  test("summary and gaps are one line each", async () => {
    const text = {
      type: "inline",
      value: "x",
      summary: `One\nTWO: ${"s".repeat(9_000)}`,
      gaps: `a\nb${"g".repeat(9_000)}`,
    };
    const [item] = await items({ text: inline("text") }, { text });

    expect(item?.summary).toMatch(/^One TWO: s+…$/);
    expect(item?.summary).toHaveLength(300);
    expect(item?.gaps).toMatch(/^a bg+…$/);
    expect(item?.gaps).toHaveLength(1_000);
  });

  test("a path of any length does not make its fault as long", async () => {
    const contract = { a: { type: "file", filename: "a.csv", mime: "text/csv", description: "" } };
    const [item] = await items(contract, {
      a: { type: "file", path: "x".repeat(1_000_000), mime: "m".repeat(1_000_000) },
    });

    expect(JSON.stringify(item).length).toBeLessThan(3_000);
  });

  test("of ids that nobody asked for the first are named, and their beginnings (G33)", () => {
    const { artifacts, ...end } = ended(
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${String(index)}`, {}])),
    );
    const long = new Map([["y".repeat(900_000), {}], ...artifacts]);
    const told = uncontracted({ ...end, artifacts: long }, parseContract({ a: inline("text") }));

    expect(told).toHaveLength(21);
    expect(told[0]).toMatch(/^not_in_contract: the program made y+…, which/);
    expect(told.at(-1)).toBe("not_in_contract: and 11 more, which nobody asked for");
    expect(told.join("").length).toBeLessThan(2_000);
  });

  test("of warnings the first fifty are kept, each as far as it is read", () => {
    const kept = boundedWarnings(Array.from({ length: 60 }, () => "w".repeat(5_000)));

    expect(kept).toHaveLength(51);
    expect(kept[0]).toHaveLength(1_000);
    expect(kept.at(-1)).toBe("warnings_left_out: 10 more");
    expect(boundedWarnings(["a"])).toEqual(["a"]);
  });
});

describe("text of data", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ row: index }));

  test("is indented, and has its blocks as YAML", async () => {
    expect(textOf(await items({ a: inline("json") }, { a: { value: rows(1) } }))).toBe('[\n  {\n    "row": 0\n  }\n]');
    expect(textOf(await items({ a: inline("yaml") }, { a: { value: rows(2) } }))).toBe("- row: 0\n- row: 1\n");
  });

  test("is written as plain JSON where its indentation would be most of it, or YAML would take the page long", async () => {
    let deep: PlainJson = "x";
    for (let level = 0; level < 50; level += 1) deep = [deep];
    const many = Array.from({ length: 1_000 }, () => deep);

    expect(textOf(await items({ a: inline("json") }, { a: { value: many } }))).toBe(JSON.stringify(many));
    expect(textOf(await items({ a: inline("yaml") }, { a: { value: rows(20_000) } }))).toBe(
      JSON.stringify(rows(20_000)),
    );
  });
});

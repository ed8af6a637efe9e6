import { describe, expect, test } from "vitest";

import { newContext, programResult, returned, searched } from "./contexts.js";

const at = (path: string, paramName: string) => ({ path: `current_turn.${path}`, paramName });

describe("binding", () => {
  test("puts parts below the text that stands there, a blank line between them", async () => {
    const context = await newContext();
    await context.registerResult(returned("one", { name: "first" }));
    await context.registerResult(returned({ sum: 12 }, { name: "second" }));

    const { params, lineage, faults } = context.bindParams({ content: "Begin:", title: "T" }, [
      at("artifacts.first.text", "content"),
      at("artifacts.second.value", "content"),
      at("artifacts.first", "note"),
    ]);

    expect(params).toEqual({ content: 'Begin:\n\none\n\n{\n  "sum": 12\n}', title: "T", note: "one" });
    expect(faults).toEqual([]);
    expect(lineage).toEqual([
      { param: "content", path: "current_turn.artifacts.first.text", artifact: "turn_1.first@1" },
      { param: "content", path: "current_turn.artifacts.second.value", artifact: "turn_1.second@1" },
      { param: "note", path: "current_turn.artifacts.first", artifact: "turn_1.first@1" },
    ]);
  });

  test("a path with nothing at it is an unresolved_path, not an empty text (G73)", async () => {
    const context = await newContext();

    const { params, faults, lineage } = context.bindParams({ content: "x" }, [
      at("artifacts.nowhere.text", "content"),
      { path: "not a path at all!", paramName: "other" },
    ]);

    expect(faults).toMatchObject([
      { code: "unresolved_path", path: "current_turn.artifacts.nowhere.text", paramName: "content" },
      { code: "unresolved_path", paramName: "other" },
    ]);
    expect(faults[0]?.message).toContain("has no artifact nowhere");
    expect(params).toEqual({ content: "x" });
    expect(lineage).toEqual([]);
  });

  test("what failed is an unresolved_path with its error; what is said of it can be bound (G73)", async () => {
    const context = await newContext();
    const outcome = { kind: "failed", code: "TOOL_CALL", message: "Nothing there." } as const;
    await context.registerResult(returned(null, { name: "hits", outcome }));

    const { params, faults, lineage } = context.bindParams({}, [
      at("artifacts.hits", "content"),
      at("artifacts.hits.text", "text"),
      at("artifacts.hits.value", "rows"),
      at("artifacts.hits.summary", "instruction"),
    ]);

    expect(faults.map(({ code, paramName }) => [code, paramName])).toEqual([
      ["unresolved_path", "content"],
      ["unresolved_path", "text"],
      ["unresolved_path", "rows"],
    ]);
    expect(faults[0]?.message).toContain("TOOL_CALL: Nothing there.");
    expect(params).toEqual({ instruction: "Nothing there." });
    expect(lineage.map(({ param }) => param)).toEqual(["instruction"]);
  });

  test("a whole search is left out with a word, some of its sources are bound", async () => {
    const context = await newContext();
    await context.registerResult(searched());

    const { params, faults } = context.bindParams({}, [
      at("artifacts.hits", "content"),
      at("artifacts.hits[2]", "note"),
    ]);

    expect(faults).toMatchObject([{ code: "param_binding_skipped_unsliced_search", paramName: "content" }]);
    expect(Object.keys(params)).toEqual(["note"]);
    expect(params.note).toContain("https://two.example/");
  });

  test("sources_list is one list with each address once, and keeps the sids of the pool", async () => {
    const context = await newContext();
    await context.registerResult(searched());
    await context.registerResult(searched("more", [{ url: "https://four.example/" }]));

    const { params } = context.bindParams(
      {
        sources_list: [
          { sid: 2, url: "https://five.example/" },
          { sid: 9, url: "https://one.example" },
        ],
      },
      [at("artifacts.hits[1:2]", "sources_list"), at("artifacts.more", "sources_list"), { path: "sources_pool[1]", paramName: "sources_list" }], // prettier-ignore
    );

    expect(params.sources_list).toMatchObject([
      { sid: 1, url: "https://one.example/?utm_source=x" },
      { sid: 2, url: "https://two.example/#top" },
      { sid: 3, url: "https://five.example/" },
      { sid: 4, url: "https://four.example/" },
    ]);
  });

  test("of a file a writer gets what it says, attachments get the file, and other parameters its record", async () => {
    const context = await newContext();
    await context.registerResult(programResult());

    const { params } = context.bindParams({ attachments: [{ path: "up/a.pdf" }] }, [
      at("artifacts.table", "content"),
      at("artifacts.table", "attachments"),
      at("artifacts.table", "about"),
      at("artifacts.table.path", "path"),
    ]);

    expect(params.content).toBe("month,sum");
    expect(params.attachments).toMatchObject([
      { path: "up/a.pdf" },
      { path: "codegen/cg-1/table.csv", mime: "text/csv" },
    ]);
    expect(params.about).toContain('"artifact_id": "table"');
    expect(params.path).toBe("codegen/cg-1/table.csv");
  });

  test("a parameter that takes no text gets the value as it is", async () => {
    const context = await newContext();
    await context.registerResult(returned([1, 2, 3], { name: "numbers" }));
    const parameters = [{ name: "rows", type: "array", required: true, description: "" }];

    const { params } = context.bindParams({}, [at("artifacts.numbers", "rows")], { parameters });

    expect(params.rows).toEqual([1, 2, 3]);
  });
});

import { describe, expect, test } from "vitest";

import { parsePath } from "../../../src/context/path-grammar.js";
import { newContext, programResult, returned, ROWS, searched } from "./contexts.js";

describe("the grammar of paths", () => {
  test.each([
    ["sources_pool", { kind: "sources", slice: null }],
    ["sources_pool[1,3]", { kind: "sources", slice: [[1, 1], [3, 3]] }], // prettier-ignore
    ["current_turn", { kind: "turn", turn: "current_turn" }],
    ["turn_1.slots.r.text", { kind: "slot", turn: "turn_1", name: "r", leaf: "text" }],
    ["turn_1.slots.r.text.more", { kind: "slot", turn: "turn_1", name: "r", leaf: "text" }],
    ["current_turn.artifacts.a@2.value.x.0", { kind: "artifact", turn: "current_turn", id: "a", version: 2, part: { kind: "value", steps: ["x", "0"] } }], // prettier-ignore
    ["current_turn.artifacts.hits[2:5]", { kind: "artifact", turn: "current_turn", id: "hits", version: null, part: { kind: "slice", sids: [[2, 5]] } }], // prettier-ignore
    ["turn_1.user.attachments.a.pdf.text", { kind: "attachments", turn: "turn_1", rest: ["a", "pdf", "text"] }],
    ["turn_1.assistant.completion.text", { kind: "completion", turn: "turn_1" }],
  ])("%s is read", (path, expected) => {
    expect(parsePath(path)).toEqual(expected);
  });

  test.each([
    ["", "invalid_path_empty"],
    [undefined, "invalid_path_empty"],
    [{ path: "x" }, "invalid_path_empty"],
    ["All is well, as I said.", "invalid_path_literal"],
    ["one\ntwo", "invalid_path_literal"],
    ['{"a": 1}', "invalid_path_literal"],
    ["x".repeat(2_000), "invalid_path_literal"],
    ["turn_1.slots.r.value", "invalid_slot_value_access"],
    ["turn_1.slots.r.value.a", "invalid_slot_value_access"],
    ["turn_1.slots.r.colour", "invalid_slot_leaf"],
    ["turn_1.artifacts.a.colour", "not_found"],
    ["turn_1.artifacts.a[x]", "not_found"],
    ["turn_1.artifacts.a@0.text", "not_found"],
    ["turn_1..slots", "not_found"],
    ["turn_1.secrets", "not_found"],
    ["sources_pool[1-3]", "not_found"],
  ])("%j is refused as %s", (path, code) => {
    expect(parsePath(path)).toMatchObject({ kind: "fault", code });
  });

  test("a wrong leaf of a slot is told which there are", () => {
    const allowed = ["text", "summary", "path", "format", "mime", "filename"];

    expect(parsePath("turn_1.slots.r.x")).toMatchObject({ details: { allowed } });
  });
});

describe("what is at a path", () => {
  test("fetch_ctx answers a slot's text, invalid_slot_value_access and not_found, and never throws (G71)", async () => {
    const context = await newContext();
    await context.registerResult(returned("All well.", { name: "found" }));
    await context.mapSlots([{ slotName: "report", sourcePath: "current_turn.artifacts.found" }]);

    expect(context.fetch("turn_1.slots.report.text")).toEqual({ ret: "All well.", err: null });
    expect(context.fetch("1.slots.report.text")).toEqual({ ret: "All well.", err: null });
    expect(context.fetch("turn_1.slots.report.value")).toMatchObject({
      ret: null,
      err: { code: "invalid_slot_value_access" },
    });
    expect(context.fetch("turn_1.slots.nothing")).toMatchObject({ ret: null, err: { code: "not_found" } });
    expect(context.fetch("turn_9.slots.report.text")).toMatchObject({ ret: null, err: { code: "unknown_turn_id" } });
    expect(context.fetch("turn_1.slots.report.constructor")).toMatchObject({ err: { code: "invalid_slot_leaf" } });
    expect(context.fetch("turn_1.artifacts.constructor")).toMatchObject({ err: { code: "not_found" } });
  });

  test("below an artifact's value texts that are JSON are opened, lists by number", async () => {
    const context = await newContext();
    await context.registerResult(returned({ body: '{"rows": [{"sum": 12}, {"sum": 30}]}', big: 2n ** 70n }));

    expect(context.fetch("current_turn.artifacts.found.value.body.rows.1.sum").ret).toBe(30);
    expect(context.fetch("current_turn.artifacts.found.value.big").ret).toBe(2n ** 70n);
    expect(context.fetch("current_turn.artifacts.found.value.body.rows.7")).toMatchObject({
      err: { code: "not_found" },
    });
    expect(context.fetch("current_turn.artifacts.found.value.__proto__")).toMatchObject({ err: { code: "not_found" } });
  });

  test("two artifacts of one id in a turn are two versions, both addressable (G78)", async () => {
    const context = await newContext();
    await context.registerResult(returned("old", { callId: "call-1" }));
    await context.registerResult(returned("new", { callId: "call-2" }));

    expect(context.fetch("current_turn.artifacts.found.text").ret).toBe("new");
    expect(context.fetch("current_turn.artifacts.found@1.text").ret).toBe("old");
    expect(context.fetch("current_turn.artifacts.found@2")).toMatchObject({
      ret: { version: 2, tool_call_id: "call-2" },
    });
    expect(context.fetch("current_turn.artifacts.found@3")).toMatchObject({ err: { code: "not_found" } });
    expect(context.fetch("current_turn.artifacts").ret).toMatchObject({ found: { text: "new" } });
  });

  test("a search is read whole, by sids and by ranges, and addresses that differ in little but are others stay apart", async () => {
    const context = await newContext();
    await context.registerResult(searched());
    await context.registerResult(searched("again", [{ url: "https://two.example/", text: "second, and more" }, { url: "http://host" }])); // prettier-ignore

    expect(context.sources.map(({ sid, url }) => [sid, url])).toEqual([
      [1, "https://one.example/?utm_source=x"],
      [2, "https://two.example/#top"],
      [3, "http://host8080"],
      [4, "http://host"],
    ]);
    expect(context.sources[1]?.text).toBe("second, and more");
    expect(context.fetch("current_turn.artifacts.hits[2:5]").ret).toMatchObject([{ sid: 2 }, { sid: 3 }]);
    expect(context.fetch("current_turn.artifacts.hits[1,3]").ret).toMatchObject([{ sid: 1 }, { sid: 3 }]);
    expect(context.fetch("current_turn.artifacts.hits[4]")).toMatchObject({ err: { code: "not_found" } });
    expect(context.fetch("sources_pool[4]").ret).toMatchObject([{ url: "http://host" }]);
    expect(context.fetch("current_turn.artifacts.hits.value.0.title").ret).toBe(ROWS[0]?.title);
  });

  test("prompts, answers, attachments and files have paths, names with dots too", async () => {
    const context = await newContext();
    await context.answer("It went well.", [{ filename: "notes.md", text: "noted", path: "notes.md" }]);
    await context.beginTurn({
      id: "turn_2",
      prompt: "And now?",
      attachments: [
        { filename: "sales.csv", mime: "text/csv", path: "up/sales.csv", text: "a,b" },
        { filename: "sales", text: "no ending" },
      ],
    });

    expect(context.fetch("turn_1.assistant.completion.text").ret).toBe("It went well.");
    expect(context.fetch("turn_1.files.notes.md.text").ret).toBe("noted");
    expect(context.fetch("turn_1.user.prompt.text").ret).toBe("Sum up the sales.");
    expect(context.fetch("current_turn.user.attachments.sales.csv.text").ret).toBe("a,b");
    expect(context.fetch("current_turn.user.attachments.sales.text").ret).toBe("no ending");
    expect(context.fetch("current_turn.user.attachments.0.path").ret).toBe("up/sales.csv");
    expect(context.fetch("current_turn.user.attachments.other.csv")).toMatchObject({ err: { code: "not_found" } });
    expect(context.fetch("current_turn.assistant.completion.text")).toMatchObject({ err: { code: "not_found" } });
    expect(context.fetch("current_turn").ret).toMatchObject({ turn_id: "turn_2", slots: {}, artifacts: {} });
  });

  test("a past turn's artifacts are its own", async () => {
    const context = await newContext();
    await context.registerResult(returned("of the first"));
    await context.beginTurn({ id: "turn_2", prompt: "More." });
    await context.registerResult(returned("of the second"));

    expect(context.fetch("turn_1.artifacts.found.text").ret).toBe("of the first");
    expect(context.fetch("current_turn.artifacts.found.text").ret).toBe("of the second");
  });
});

describe("artifacts of a program", () => {
  test("have provenance, and failed ones are there with their error", async () => {
    const context = await newContext();
    await context.registerResult(searched());

    const { artifacts } = await context.registerResult(
      programResult({ error: { where: "main", error: "ValueError: x", description: "Unhandled error", details: "" } }),
    );

    expect(artifacts.map(({ id, kind, path }) => [id, kind, path])).toEqual([
      ["report", "inline", null],
      ["table", "file", "codegen/cg-1/table.csv"],
    ]);
    expect(artifacts[1]?.provenance).toMatchObject({ toolId: "codegen_python", callId: "call-7", item: 1, round: 2 });
  });

  test("whose program counted its sources for itself cite them by the context's numbers", async () => {
    const context = await newContext();
    await context.registerResult(searched());
    const pool = [
      { sid: 1, url: "https://new.example/", title: "New", text: "" },
      { sid: 2, url: "https://two.example/", title: "Two", text: "" },
    ];

    const { artifacts } = await context.registerResult(programResult({ text: "a [[S:1]] b [[S:1-2]]", pool }));

    expect(artifacts[0]).toMatchObject({ text: "a [[S:4]] b [[S:2,4]]", sids: [2, 4], unresolvedSids: [] });
    expect(context.sources.map(({ sid, url }) => [sid, url]).at(-1)).toEqual([4, "https://new.example/"]);
  });

  test("a tool that failed leaves an artifact that says why, and cannot be used", async () => {
    const context = await newContext();

    const { error, artifacts } = await context.registerResult(
      returned(null, { outcome: { kind: "failed", code: "ToolCallError", message: "Nothing there." } }),
    );

    expect(error).toMatchObject({ where: "look_up", error: "ToolCallError" });
    expect(artifacts[0]).toMatchObject({ id: "found", error: { description: "Nothing there." } });
  });
});

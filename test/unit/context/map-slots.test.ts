import { describe, expect, test } from "vitest";

import { newContext, programResult, returned, searched } from "./contexts.js";

const from = (path: string) => `current_turn.artifacts.${path}`;

describe("mapping", () => {
  test("an inline slot gets text, sources, summary and provenance from below a value (G74)", async () => {
    const context = await newContext();
    await context.registerResult(searched());
    const call = returned({ content: "Well, as [[S:2]] says." }, { callId: "call-3", round: 1 });
    await context.registerResult(call);

    const [outcome] = await context.mapSlots([{ slotName: "report", sourcePath: from("found.value.content") }], {
      round: 2,
    });

    expect(outcome).toMatchObject({ kind: "applied" });
    expect(context.currentTurn?.record.slots).toMatchObject([
      {
        name: "report",
        kind: "inline",
        resourceId: "slot:report",
        format: "markdown",
        text: "Well, as [[S:2]] says.",
        summary: "Made found",
        sids: [2],
        mappedFrom: from("found.value.content"),
        mappedArtifactId: "found@1",
        provenance: { toolId: "look_up", callId: "call-3", round: 1 },
        round: 2,
      },
    ]);
    expect(context.fetch("turn_1.slots.report").ret).toMatchObject({
      sources_used: [{ url: "https://two.example/#top" }],
    });
  });

  test("what the round itself makes is refused as future_artifact, its older version is not (G75)", async () => {
    const context = await newContext();
    await context.registerResult(returned("old"));
    await context.registerResult(returned("old", { name: "my-report" }));

    const outcomes = await context.mapSlots(
      [
        { slotName: "report", sourcePath: from("found") },
        { slotName: "report", sourcePath: from("report") },
        { slotName: "report", sourcePath: from("my_report") },
        { slotName: "report", sourcePath: from("found@1") },
      ],
      { future: ["found", "report", "my-report"] },
    );

    expect(outcomes).toMatchObject([
      { kind: "refused", reason: "future_artifact" },
      { kind: "refused", reason: "future_artifact" },
      { kind: "refused", reason: "future_artifact" },
      { kind: "applied", slot: { text: "old" } },
    ]);
  });

  test("a text fills a file slot as a draft only; files fill it, themselves or under value (G76)", async () => {
    const context = await newContext();
    await context.registerResult(returned("month,sum", { name: "text" }));
    await context.registerResult(
      returned({ value: { type: "file", path: "made/a.csv", text: "a" } }, { name: "stated" }),
    );
    await context.registerResult(returned({ value: { type: "file", path: "../../etc/passwd" } }, { name: "outside" }));
    await context.registerResult(programResult());
    const table = async (path: string, draft = false) =>
      (await context.mapSlots([{ slotName: "table", sourcePath: from(path), draft }]))[0];

    expect(await table("text")).toMatchObject({ kind: "refused", reason: "artifact_not_compatible_file" });
    expect(await table("outside")).toMatchObject({ kind: "refused", reason: "artifact_not_compatible_file" });
    expect(await table("report.value")).toMatchObject({ kind: "refused", reason: "artifact_not_compatible_file" });
    expect(await table("text", true)).toMatchObject({
      slot: { path: "", text: "month,sum", draft: true, kind: "file" },
    });
    expect(await table("stated")).toMatchObject({ slot: { path: "made/a.csv", text: "a" } });
    expect(await table("table")).toMatchObject({
      slot: {
        path: "codegen/cg-1/table.csv",
        mime: "text/csv",
        filename: "table.csv",
        text: "month,sum",
        draft: false,
      },
    });
  });

  test("every refusal has its reason, is not applied, and leaves what the slot had", async () => {
    const context = await newContext();
    await context.registerResult(returned("kept"));
    await context.registerResult(returned({ rows: [1, 2] }, { name: "numbers" }));
    await context.registerResult(
      returned(null, { name: "broken", outcome: { kind: "failed", code: "X", message: "no" } }),
    );
    await context.mapSlots([{ slotName: "report", sourcePath: from("found") }]);
    const snapshot = context.snapshot();
    await context.registerResult(returned("late", { name: "late" }));

    const outcomes = await context.mapSlots(
      [
        { slotName: "", sourcePath: from("found") },
        { slotName: "report", sourcePath: " " },
        { slotName: "poem", sourcePath: from("found") },
        { slotName: "report", sourcePath: from("late") },
        { slotName: "report", sourcePath: from("never") },
        { slotName: "report", sourcePath: from("found.value.nothing") },
        { slotName: "report", sourcePath: from("broken") },
        { slotName: "table", sourcePath: from("numbers.value.rows") },
      ],
      { snapshot },
    );

    expect(outcomes.map((outcome) => (outcome.kind === "refused" ? outcome.reason : outcome.kind))).toEqual([
      "missing_slot_or_path",
      "missing_slot_or_path",
      "unknown_slot",
      "not_in_round_snapshot",
      "not_in_round_snapshot",
      "not_resolvable_now",
      "not_resolvable_now",
      "artifact_not_found_or_not_object",
    ]);
    expect(context.currentTurn?.record.slots.map(({ name, text }) => [name, text])).toEqual([["report", "kept"]]);
  });

  test("an object fills an inline slot with what it calls its text, else as JSON; draft and gaps are kept", async () => {
    const context = await newContext();
    await context.registerResult(returned({ text: "its text", more: 1 }));
    await context.registerResult(returned({ a: 1 }, { name: "plain" }));
    const report = async (path: string) =>
      (await context.mapSlots([{ slotName: "report", sourcePath: from(path), draft: true, gaps: "the end" }]))[0];

    expect(await report("found.value")).toMatchObject({ slot: { text: "its text", draft: true, gaps: "the end" } });
    expect(await report("plain.value")).toMatchObject({ slot: { text: '{\n  "a": 1\n}' } });
  });

  test("what a program says is a draft, and what it lacks, is so in the slot though the mapping says nothing (G47)", async () => {
    const context = await newContext();
    await context.registerResult(programResult({ ofReport: { draft: true, gaps: "the end", summary: "In short." } }));

    const [outcome] = await context.mapSlots([{ slotName: "report", sourcePath: from("report") }]);

    expect(outcome).toMatchObject({ slot: { draft: true, gaps: "the end", summary: "In short." } });
  });

  test("that an artifact has another format than the slot is a warning with the whole of it", async () => {
    const context = await newContext();
    const format = "x".repeat(300);
    await context.registerResult(programResult({ ofReport: { format } }));

    const [outcome] = await context.mapSlots([{ slotName: "report", sourcePath: from("report") }]);

    expect(outcome).toMatchObject({
      slot: { warnings: [`contract_mismatch: the contract says markdown, the artifact ${format}`] },
    });
  });

  test("a slot of an earlier turn fills one of this turn, with where it came from", async () => {
    const context = await newContext();
    await context.registerResult(returned("first", { callId: "call-1" }));
    await context.mapSlots([{ slotName: "report", sourcePath: from("found") }]);
    await context.beginTurn({ prompt: "Again.", contract: { again: { type: "inline", format: "text" } } });

    const [outcome] = await context.mapSlots([{ slotName: "again", sourcePath: "turn_1.slots.report.text" }]);

    expect(outcome).toMatchObject({
      slot: {
        text: "first",
        provenance: { callId: "call-1" },
        warnings: ["contract_mismatch: the contract says text, the artifact markdown"],
      },
    });
  });
});

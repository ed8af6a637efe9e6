import { describe, expect, test } from "vitest";

import { openContext } from "../../../src/context/index.js";
import { turnContractRecord } from "../../../src/context/records.js";
import { parseTurnContract } from "../../../src/contract/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { CONTRACT, newContext } from "./contexts.js";

describe("the contract of a turn", () => {
  test("is a dict or JSON of one; a slot without a type is inline; none promises nothing", () => {
    expect(turnContractRecord(parseTurnContract(JSON.stringify(CONTRACT)))).toEqual(CONTRACT);
    expect(parseTurnContract({ a: { format: "text" } }).get("a")).toEqual({
      type: "inline",
      format: "text",
      description: "",
    });
    expect(parseTurnContract(null).size).toBe(0);
    expect(parseTurnContract({}).size).toBe(0);
  });

  test.each([
    ["[1]", "invalid_output_contract", null],
    ["{", "invalid_output_contract", null],
    [{ a: { type: "inline" } }, "invalid_artifact_spec", "format"],
    [{ a: { type: "file" } }, "invalid_artifact_spec", "mime"],
    [{ a: { type: "table" } }, "invalid_artifact_spec", "type"],
    [{ A: { format: "text" } }, "invalid_artifact_spec", "name"],
    [{ project_log: { format: "markdown" } }, "reserved_artifact_id", null],
  ])("%j is refused as %s", (given, code, field) => {
    expect(() => parseTurnContract(given)).toThrow(expect.objectContaining({ code, field }));
  });

  test("that is JSON null promises nothing; blanks that JSON does not know, or too many, are refused", () => {
    expect(parseTurnContract(" null ").size).toBe(0);
    expect(parseTurnContract(" ".repeat(200_001)).size).toBe(0);
    for (const given of ["\u00a0null", `${" ".repeat(200_001)}null`, '""']) {
      expect(() => parseTurnContract(given)).toThrow(expect.objectContaining({ code: "invalid_output_contract" }));
    }
  });

  test("is said once, before or after the turn began", async () => {
    const context = await openContext({ storage: memoryStorage(), id: "talk" });
    await context.beginTurn({ prompt: "Hello." });

    expect(context.contract).toBeNull();
    await context.setContract(CONTRACT);

    expect([...(context.contract?.keys() ?? [])]).toEqual(["report", "table"]);
    await expect(context.setContract(CONTRACT)).rejects.toMatchObject({ code: "TURN_CONTRACT" });
  });
});

describe("turns", () => {
  test("are refused under a taken or impossible id, and before the first there is nothing to fill", async () => {
    const context = await newContext();

    await expect(context.beginTurn({ id: "turn_1", prompt: "Again." })).rejects.toMatchObject({ code: "TURN_ID" });
    await expect(context.beginTurn({ id: "turn_a.b", prompt: "Again." })).rejects.toMatchObject({ code: "TURN_ID" });
    await expect(context.reopenTurn("turn_9")).rejects.toMatchObject({ code: "UNKNOWN_TURN" });
    expect(context.turnIds).toEqual(["turn_1"]);
    const empty = await openContext({ storage: memoryStorage(), id: "empty" });
    await expect(empty.answer("x")).rejects.toMatchObject({ code: "UNKNOWN_TURN" });
    await expect(openContext({ storage: memoryStorage(), id: "a/b" })).rejects.toMatchObject({ code: "CONTEXT_ID" });
  });
});

import { describe, expect, test } from "vitest";
import { z } from "zod";

import { PROGRAM_TOOL_TAG } from "../../../src/codegen/index.js";
import { functionTool, type Tool } from "../../../src/tools/index.js";
import { readDecision } from "../../../src/turn-loop/decision.js";
import { promisedArtifacts, verifyCall, type Verification } from "../../../src/turn-loop/verify-call.js";
import { newContext, returned } from "../context/contexts.js";

const { tool: search } = functionTool({
  name: "search",
  description: "Searches.",
  input: z.object({ query: z.string(), limit: z.int().optional() }),
  run: () => null,
});
const { tool: text } = functionTool({
  name: "write",
  description: "",
  input: z.object({ content: z.string() }),
  run: () => 1,
});
const program: Tool = { ...search, name: "codegen_python", tags: [PROGRAM_TOOL_TAG], callables: [{ ...search.callables[0]!, name: "codegen_python", parameters: [], inputSchema: { additionalProperties: true } }] }; // prettier-ignore

/** What becomes of a call, whose context has one artifact, `found`. */
async function verify(toolCall: unknown, fetchContext: unknown[] = []): Promise<Verification> {
  const context = await newContext();
  await context.registerResult(returned("All well."));
  const reply = { action: "call_tool", strategy: "exploit", tool_call: toolCall, fetch_context: fetchContext };
  const read = readDecision(JSON.stringify(reply));
  if (read.kind === "fault") throw new Error(read.message);
  return verifyCall(read.decision, {
    tools: [search, text, program],
    bind: (params, directives, parameters) => context.bindParams(params, directives, { parameters }),
  });
}

const out = { out_artifacts_spec: [{ name: "hits" }] };
const codes = ({ violations }: Verification) => violations.map(({ code, isRed }) => [code, isRed]);

describe("the protocol of calls", () => {
  test.each([
    ["missing_tool_id", {}],
    ["missing_tool_id", { params: { query: "a" }, ...out }],
    ["unknown_tool_id", { tool_id: "serach", params: { query: "a" }, ...out }],
    ["bad_params", { tool_id: "search", params: ["a"], ...out }],
    ["bad_params", { tool_id: "search", params: "a", ...out }],
    ["missing_out_artifacts_spec", { tool_id: "search", params: { query: "a" } }],
    ["missing_required", { tool_id: "search", params: {}, ...out }],
  ])("%s is red, and nothing is called (G79)", async (code, toolCall) => {
    const verification = await verify(toolCall);

    expect(codes(verification)).toEqual([[code, true]]);
    expect(verification.call).toBeNull();
  });

  test("an unknown parameter and an optional one of a wrong type are dropped, and the call is made (G80)", async () => {
    const verification = await verify({
      tool_id: "search",
      params: { query: "a", limit: "many", colour: "red" },
      ...out,
    });

    expect(verification.call).toMatchObject({ toolId: "search", params: { query: "a" } });
    expect(Object.keys(verification.call?.params ?? {})).toEqual(["query"]);
    expect(codes(verification)).toEqual([
      ["type_mismatch", false],
      ["unknown_param", false],
    ]);
  });

  test("a required parameter of a wrong type is red (G81)", async () => {
    const verification = await verify({ tool_id: "search", params: { query: ["a"] }, ...out });

    expect(codes(verification)).toEqual([["type_mismatch", true]]);
    expect(verification.call).toBeNull();
  });

  test("a path with nothing at it is red; what is bound counts as given (G73)", async () => {
    const call = { tool_id: "write", params: {}, ...out };

    const unresolved = await verify(call, [{ path: "current_turn.artifacts.nowhere", param_name: "content" }]);
    const bound = await verify(call, [{ path: "current_turn.artifacts.found.text", param_name: "content" }]);

    expect(codes(unresolved)).toContainEqual(["unresolved_path", true]);
    expect(unresolved.call).toBeNull();
    expect(bound.call?.params).toEqual({ content: "All well." });
    expect(bound.call?.lineage).toMatchObject([{ param: "content", artifact: "turn_1.found@1" }]);
  });

  test("what was bound to a parameter that is dropped leaves no provenance", async () => {
    const path = "current_turn.artifacts.found.text";
    const call = { tool_id: "search", params: { query: "a" }, ...out };

    const verification = await verify(call, [
      { path, param_name: "limit" },
      { path, param_name: "colour" },
      { path, param_name: "query" },
    ]);

    expect(verification.call?.params).toEqual({ query: "a\n\nAll well." });
    expect(verification.call?.lineage.map(({ param }) => param)).toEqual(["query"]);
  });

  test("a tool that runs programs needs no out_artifacts_spec beside a contract", async () => {
    const contract = { summary: { type: "inline", format: "text" } };

    expect((await verify({ tool_id: "codegen_python", params: { output_contract: contract } })).call).toMatchObject({
      isProgram: true,
    });
    expect(codes(await verify({ tool_id: "codegen_python", params: { output_contract: {} } }))).toEqual([
      ["missing_out_artifacts_spec", true],
    ]);
  });

  test("what a call promises is known from its spec, its contract and its files", () => {
    const decide = (toolCall: unknown): string[] => {
      const read = readDecision(JSON.stringify({ action: "call_tool", strategy: "exploit", tool_call: toolCall }));
      return read.kind === "decision" ? promisedArtifacts(read.decision) : [];
    };

    expect(decide({ tool_id: "search", ...out })).toEqual(["hits"]);
    expect(decide({ tool_id: "c", params: { output_contract: '{"summary": {}}' } })).toEqual(["summary"]);
    expect(decide({ tool_id: "e", params: { out_artifacts_spec: [{ name: "table" }] } })).toEqual(["table"]);
    expect(decide({ tool_id: "e", params: { out_artifacts_spec: '[{"name": "table"}, 1]' } })).toEqual(["table"]);
    expect(decide({ tool_id: "e", params: { out_artifacts_spec: "[", output_contract: "[1]" } })).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";

import { pageCommands } from "../../../src/commands/index.js";
import type { Value } from "../../../src/protocol/index.js";
import {
  functionTool,
  loadToolFiles,
  ToolCallError,
  type JsonSchema,
  type ToolAdapter,
  type ToolParameter,
} from "../../../src/tools/index.js";
import { callAdapter } from "../../lone-calls/lone-call.js";
import { httpService } from "./http-service.js";
import { callOperation, documentOf, ok, openApiService } from "./openapi-service.js";

const service = httpService();
const documents = openApiService();

async function messageOf(call: Promise<unknown>): Promise<string> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof Error ? failure.message : `no error: ${String(failure)}`;
}

function adapterWith(parameters: readonly ToolParameter[] | undefined): ToolAdapter {
  const callables = parameters === undefined ? [] : [{ name: "x", description: "", parameters }];
  const tool = { name: "x", description: "", tags: [], timeout: 1000, hints: {}, callables };
  return { tool, call: () => Promise.resolve(null) };
}

describe("an error ends with what it is about to say", () => {
  test("where a schema has an empty list of choices", async () => {
    const taking = (x: JsonSchema): ToolAdapter =>
      functionTool({ name: "x", description: "", input: { type: "object", properties: { x } }, run: () => null });
    const refused = (x: JsonSchema, value: Value): Promise<string> =>
      messageOf(callAdapter(taking(x), { callable: null, args: { x: value } }));

    expect(await refused({ type: "string", enum: [] }, "a")).toBe(
      "Tool 'x' failed: Parameter 'x' must be one of nothing, since its schema has an empty `enum`, not str 'a'",
    );
    expect(await refused({ anyOf: [] }, 1)).toContain(
      "must be one of nothing, since its schema has no choice, not int 1",
    );
    const listed = { name: "y", type: "string", required: true, description: "", schema: { enum: [] } };
    expect(await messageOf(callAdapter(adapterWith([listed]), { callable: null, args: { y: "a" } }))).toBe(
      "Tool 'x' failed: Parameter 'y' must be one of nothing, since its schema has an empty `enum`, not str 'a'",
    );
  });

  test("where a tool has nothing to call", async () => {
    const call = (callable: string | null): Promise<string> =>
      messageOf(callAdapter(adapterWith(undefined), { callable }));

    expect(await call("get")).toBe("Unknown callable: x.get. The tool has none");
    expect(await call(null)).toBe("Tool 'x' failed: it is not called by itself, and has nothing that is");
  });

  test("where a command fails with an empty line", async () => {
    const commands = pageCommands({ x: () => ({ exitCode: 3, stderr: "\n" }) });
    const { adapters } = loadToolFiles([{ file: "tools/x.yaml", text: "name: x\nrecipes: {x: {}}" }], { commands });

    expect(await messageOf(callAdapter(adapters[0]!, { callable: null }))).toBe(
      "Tool 'x' failed: Command failed: Exit code 3",
    );
  });

  test("where a service, or a function of the page, says nothing", async () => {
    service.server.answerWith((_received, response) => response.writeHead(404).end());
    const failing = (error: Error): ToolAdapter =>
      functionTool({ name: "x", description: "", input: { type: "object" }, run: () => Promise.reject(error) });
    const failingWithText: ToolAdapter = {
      ...adapterWith([]),
      call: () => Promise.reject(new ToolCallError("x", " ")),
    };

    expect(await messageOf(service.call("{path: books}"))).toBe("Tool 'x' failed: HTTP 404: the answer is empty");
    expect(await messageOf(callAdapter(failing(new TypeError("")), { callable: null }))).toBe(
      "Tool 'x' failed: TypeError without a message",
    );
    expect(await messageOf(callAdapter(failingWithText, { callable: null }))).toBe(
      "Tool 'x' failed: it does not say why",
    );
  });
});

test("an empty list of choices in an OpenAPI document is no condition", async () => {
  documents.server.answerWith((_received, response) => response.end());
  const state = { allOf: [{ type: "string", enum: ["on", "off"] }], enum: [] };
  const { adapter } = await documents.made(
    documentOf({
      "/a": { get: { operationId: "a", parameters: [{ name: "state", in: "query", schema: state }], ...ok } },
    }),
  );

  await callOperation(adapter, "a", { state: "on" });

  expect(documents.server.received.map(({ url }) => url.search)).toEqual(["?state=on"]);
  expect(await messageOf(callOperation(adapter, "a", { state: "dim" }))).toContain(
    "must be one of 'on', 'off', not str 'dim'",
  );
});

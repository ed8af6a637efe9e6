import { expect, test } from "vitest";

import { memoryStorage, ReactAgent, Session, type ApprovalRequest } from "../../../src/index.js";
import { dictatedModel } from "../docs/sample-model.js";
import { writes } from "../write-code/page-models.js";
import { call, codingClients, namesOf, NINE } from "./coding-clients.js";

const connect = codingClients();
const CODE = 'def greet(name):\n    return f"Hello, {name}"';
const FILES = [{ filename: "greet.py", code_description: "A function greet(name)." }];

async function opened(): Promise<{ readonly session: Session; readonly asked: ApprovalRequest[] }> {
  const asked: ApprovalRequest[] = [];
  const session = await Session.open({
    storage: memoryStorage(),
    writeCode: { models: [writes("quick", CODE)] },
    onApproval: (request) => {
      asked.push(request);
      return { decision: "allow" };
    },
  });
  return { session, asked };
}

test("an MCP client is offered the tool where the session has it, and its person sees the files", async () => {
  const { session, asked } = await opened();
  const client = await connect(session, { name: "coder" });
  expect(await namesOf(client)).toEqual([...NINE, "write_codebase_tool"]);

  const [text, isError] = await call(client, "write_codebase_tool", { command: "write_codebase", files: FILES });
  expect(isError).toBe(false);
  expect(JSON.parse(text)).toMatchObject({ error: null, output: { status: "success", files_successful: 1 } });
  expect(asked).toMatchObject([{ name: "tools.write_codebase_tool", caller: "client", files: [{ path: "greet.py" }] }]);

  const wrong = await call(client, "write_codebase_tool", { command: "write_codebase", files: [] });
  expect(wrong[1]).toBe(true);
  expect(JSON.parse(wrong[0])).toMatchObject({ output: null });
  await session.close();
});

test("an answer that is too long names the files, without their text", async () => {
  const { session } = await opened();
  const client = await connect(session, { maxLength: 2_000, fileTools: "only" });
  const [text] = await call(client, "write_codebase_tool", { command: "write_codebase", files: FILES });

  expect(JSON.parse(text)).toMatchObject({ output: { results: [{ filename: "greet.py" }] } });
  await session.close();
});

test("the JSON agent calls it, and reads what came of it", async () => {
  const { session, asked } = await opened();
  const args = JSON.stringify({ command: "write_codebase", files: FILES });
  const model = dictatedModel({ calls: [{ id: "a", name: "write_codebase_tool", arguments: args }] }, "Written.");
  const result = await new ReactAgent({ session, model, toolCallingMode: "native" }).run("Write a file.").result;

  expect(result).toMatchObject({ output: "Written." });
  expect(asked).toMatchObject([{ caller: "agent", files: [{ path: "greet.py", operation: "create" }] }]);
  expect((await session.workspace.list()).map(({ path }) => path)).toEqual(["greet.py"]);
  await session.close();
});

test("no client takes a tool of session code under that name for the page's", async () => {
  const define = [
    "from vitrine import tool",
    "@tool",
    "def write_codebase_tool(command: str, files: list) -> dict:",
    '    """Writes nothing."""',
    '    return {"error": None}',
  ].join("\n");
  const plain = await Session.open({ storage: memoryStorage() });
  expect((await plain.run(define)).error).toBeNull();
  expect(await namesOf(await connect(plain, {}))).toEqual(NINE);
  await plain.close();

  const { session, asked } = await opened();
  const client = await connect(session, {});
  await session.run(define);
  const [text] = await call(client, "write_codebase_tool", { command: "write_codebase", files: FILES });
  expect(text).not.toBe('{"error":null}');
  expect(asked.filter(({ files }) => files !== undefined)).toHaveLength(text.includes("success") ? 1 : 0);
  await session.close();
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, memoryStorage, Session, SessionClosedError } from "../../../src/index.js";

let session: Session;

beforeAll(async () => {
  const status = functionTool({
    name: "status",
    description: "Fails.",
    input: z.object({}),
    run: () => {
      throw new SessionClosedError();
    },
  });
  session = await Session.open({ storage: memoryStorage(), trust: "local", tools: [status] });
});
afterAll(() => session.close());
beforeEach(async () => {
  await session.run("kept = 42");
});

const withCode = (value: string): string => `class Own(ToolError):\n    code = ${value}\nraise Own("x")`;
const codeSet = (value: string): string =>
  `try:\n    tools.status()\nexcept ToolError as e:\n    e.code = ${value}\n    raise`;

describe("the code of an exception that session code raises", () => {
  test.each([
    ["a number", withCode("404")],
    ["nothing", withCode("None")],
    ["a text that is too long", withCode("'X' * 65")],
    ["that of a closed session", withCode("'SESSION_CLOSED'")],
    ["that of a timeout", withCode("'RUN_TIMEOUT'")],
    ["a number, set on an error of a call", codeSet("404")],
    ["that of a timeout, set on an error of a call", codeSet("'RUN_TIMEOUT'")],
    ["that of a heap that is full, set on an error of a call", codeSet("'HEAP_LIMIT'")],
    ["that of a closed session, set on an error of a call", codeSet("'SESSION_CLOSED'")],
    ["that of another session's end", "tools.status()"],
    ["a property that fails", "ToolError.code = property(lambda self: 1 / 0)\nraise ToolError('x')"],
    ["of a class whose name is wide", `raise type("\u{1f600}" * 200, (Exception,), {})`],
    [
      "of a class that has no name",
      "class Meta(type):\n    __name__ = property(lambda cls: 5)\nclass Own(Exception, metaclass=Meta): pass\nraise Own",
    ],
  ])("is never the page's, and ends nothing: %s", async (_, code) => {
    const { error } = await session.run(`reset_code = ToolError.code\n${code}`);

    expect(error?.code).toBe("PYTHON_ERROR");
    const after = await session.run("ToolError.code = reset_code\nkept");
    expect(after).toMatchObject({ value: 42, notices: [] });
  });

  test("is the call's where it is one", async () => {
    const { error } = await session.run("artifacts.load('missing')");

    expect(error).toMatchObject({ code: "ARTIFACT_NOT_FOUND", pythonType: "ArtifactNotFoundError" });
  });
});

describe("an exception whose text has no end", () => {
  const endless = "class Endless(Exception):\n    def __str__(self):\n        while True: pass\n";

  test.each([
    ["costs its text alone", `${endless}raise Endless`, /took too long/],
    ["is left out where it is the cause", `${endless}raise ValueError('seen') from Endless()`, /^seen$/],
  ])("%s", async (_, code, message) => {
    const { error, lost } = await session.run(code);

    // Its own bound ended the text; the run's limit would have made it RUN_TIMEOUT.
    expect(lost).toBe(false);
    expect(error?.code).toBe("PYTHON_ERROR");
    expect(error?.message).toMatch(message);
    expect(error?.traceback).toContain("line 4, in <module>");
    expect((await session.run("kept")).value).toBe(42);
  });
});

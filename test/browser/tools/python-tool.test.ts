import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type ApprovalRequest, type JournalEntry, type Session } from "../../../src/index.js";
import { openSession } from "../session/hosts.js";

const IMPORT = "from vitrine import tool\n";

let session: Session;
let asked: ApprovalRequest[] = [];
let decision: "allow" | "deny" = "deny";

const tools = [
  functionTool({
    name: "upper",
    description: "Writes in capitals",
    input: z.object({ text: z.string() }),
    run: ({ text }) => text.toUpperCase(),
  }),
  functionTool({
    name: "relay",
    description: "Calls the tool that it is told",
    input: z.object({ name: z.string(), x: z.number() }),
    run: ({ name, x }, { callTool }) => callTool(name, { x }),
  }),
];

beforeAll(async () => {
  session = await openSession({
    tools,
    onApproval: (request) => {
      asked.push(request);
      return { decision, reason: "not here" };
    },
  });
});
afterAll(() => session.close());
afterEach(async () => {
  asked = [];
  decision = "deny";
  await session.reset();
});

/** Runs code that has to succeed. */
async function run(code: string): Promise<unknown> {
  const { value, error } = await session.run(IMPORT + code);
  expect(error?.toString()).toBeUndefined();
  return value;
}

async function errorOf(code: string): Promise<{ pythonType?: string; message?: string; code?: string }> {
  const { error } = await session.run(IMPORT + code);
  return error ?? {};
}

const DOUBLE = '@tool\ndef double(x: int) -> int:\n    """Twice x."""\n    return x * 2\n';

test("a schema that code registers past the decorator, whose pattern takes long with each of many texts, is to blame for it", async () => {
  decision = "allow";
  const { error } = await session.run(
    [
      "schema = {'type': 'object', 'properties': {'x': {'type': 'array', 'items': {'type': 'string', 'pattern': '^(a+)+$'}}}}",
      "artifacts._bridge.request('tools.register', {'name': 'slow', 'description': '', 'inputSchema': schema, 'outputSchema': None, 'timeout': None, 'source': ''})",
      "tools.slow(x=['a' * 20 + '!'] * 3000)",
    ].join("\n"),
  );

  expect(error?.message).toContain("takes too long");
  expect((await session.run("1 + 1")).value).toBe(2);
});

describe("a function becomes a tool", () => {
  test("a missing hint is a ToolDefinitionError that names it, and nothing is registered (T98)", async () => {
    const parameter = await errorOf('@tool\ndef f(p) -> int:\n    """F."""\n    return 1');
    const result = await errorOf('@tool\ndef f(p: int):\n    """F."""\n    return 1');

    expect(parameter).toMatchObject({
      pythonType: "ToolDefinitionError",
      code: "TOOL_DEFINITION",
      message: "Missing type hint for parameter 'p' in f",
    });
    expect(result).toMatchObject({
      pythonType: "ToolDefinitionError",
      message: "Missing return type annotation for f",
    });
    expect(session.tools.get("f")).toBeUndefined();
    expect(await run("from vitrine import ToolDefinitionError as E; issubclass(E, ToolError)")).toBe(true);
  });

  test("without a docstring there is a warning only, and it is shown as <no description> (T99)", async () => {
    const { error, stderr } = await session.run(`${IMPORT}@tool\ndef bare(x: int) -> int:\n    return x`);

    expect(error).toBeNull();
    expect(stderr).toContain("Tool 'bare' has no docstring");
    expect(session.tools.get("bare")?.description).toBe("<no description>");
    expect(await run("tools.list()[-1].description")).toBe("<no description>");
    expect(await run("tools.bare(4)")).toBe(4);
  });

  test("the schema of its signature: required, defaults, nothing beyond (T100)", async () => {
    await run('@tool\ndef f(a: int, b: str = "x") -> int:\n    """F."""\n    return a');

    expect(session.tools.get("f")?.callables[0]?.inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "string", default: "x" } },
      required: ["a"],
      additionalProperties: false,
    });
    expect(await errorOf("tools.f(b='y')")).toMatchObject({ pythonType: "ToolArgumentError" });
    expect(await errorOf("tools.f(a=1, c=2)")).toMatchObject({ pythonType: "ToolArgumentError" });
    expect(await errorOf("tools.f(a='one')")).toMatchObject({ pythonType: "ToolArgumentError" });
  });

  test("the default of one plain list is that list's alone (T100)", async () => {
    await run('@tool\ndef f(a: list = [1], b: list = [2]) -> list:\n    """F."""\n    return a');
    await run('@tool\ndef g(rows: list) -> list:\n    """G."""\n    return rows');

    const [f, g] = ["f", "g"].map((name) => session.tools.get(name)?.callables[0]);
    expect(f?.inputSchema).toMatchObject({
      properties: { a: { type: "array", default: [1] }, b: { type: "array", default: [2] } },
    });
    expect(g?.inputSchema).toMatchObject({ properties: { rows: { type: "array" } } });
    expect(JSON.stringify([f?.outputSchema, g?.inputSchema, g?.outputSchema])).not.toContain("default");
  });

  test("it is called by tools.name, plainly, awaited and gathered, and as the function that it is", async () => {
    await run(DOUBLE);

    expect(await run("tools.double(x=3)")).toBe(6);
    expect(await run("await tools.double(3)")).toBe(6);
    expect(await run("import asyncio\nawait asyncio.gather(*[tools.double.call_async(n) for n in range(40)])")).toEqual(
      Array.from({ length: 40 }, (_, n) => n * 2),
    );
    expect(await run("double(5)")).toBe(10);
    expect(await run("[double.name, double.doc, double.is_async, str(double.signature)]")).toEqual([
      "double",
      "Twice x.",
      false,
      "(x: int) -> int",
    ]);
  });

  test("an asynchronous function is welcome, and its calls overlap", async () => {
    await run(`import asyncio
together = 0
all_here = asyncio.Event()
@tool
async def slow(n: int) -> int:
    """Waits for thirty of its calls."""
    global together
    together += 1
    if together == 30:
        all_here.set()
    await all_here.wait()
    return n
`);

    expect(await run("await asyncio.gather(*[tools.slow.call_async(n) for n in range(30)])")).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
    expect(await run("tools.slow(n=7)")).toBe(7);
  });

  test("values of JSON come as the hints say: an enum, a set, a float", async () => {
    await run(`import enum
class Colour(enum.Enum):
    RED = "red"
@tool
def look(c: Colour, s: set[int], f: float, t: tuple[int, str], o: Colour | None = None) -> str:
    """Looks."""
    return repr([c is Colour.RED, s, f, t, o])
`);
    const client = session.client();

    expect(await client.callTool("look", { c: "red", s: [1, 1], f: 2, t: [1, "a"] })).toBe(
      "[True, {1}, 2.0, (1, 'a'), None]",
    );
    expect(await run("tools.look(c=Colour.RED, s={2}, f=1, t=(1, 'b'), o='red')")).toBe(
      "[True, {2}, 1.0, (1, 'b'), <Colour.RED: 'red'>]",
    );
  });

  test("it is seen by tools.search, the page, help and session.check", async () => {
    await run(DOUBLE);

    expect(await run("tools.search('double')[0].name")).toBe("double");
    expect(await run("tools.double.signature()")).toBe("double(*, x: int) -> int");
    expect(session.tools.list().map(({ name, trust }) => [name, trust])).toContainEqual(["double", "sandboxed"]);
    expect(await session.check("tools.double(y=1)")).toMatchObject(
      [{ code: "UNKNOWN_ARGUMENT" }, { code: "MISSING_ARGUMENT" }].slice(0, 1),
    );
    expect(await session.check("tools.double(x=1)")).toEqual([]);
    expect(await session.check(`${IMPORT}${DOUBLE.replace("double", "triple")}tools.triple(x=1)`)).toEqual([]);
  });
});

describe("its calls", () => {
  test("are journalled with the calls made in their course below them", async () => {
    const { calls, value } = await session.run(
      `${IMPORT}@tool\ndef shout(text: str) -> str:\n    """Shouts."""\n    return tools.upper(text=text) + "!"\ntools.shout("hey")`,
    );

    expect(value).toBe("HEY!");
    const [registration, shout, upper] = calls;
    expect(registration).toMatchObject({ namespace: "tools", name: "register", arguments: { name: "shout" } });
    expect(shout).toMatchObject({ name: "shout", parent: null, arguments: { text: "hey" }, outcome: { kind: "ok" } });
    expect(upper).toMatchObject({ name: "upper", parent: shout?.id, caller: "tool" });
  });

  test("raise what the function raised, as the object that it was", async () => {
    await run(`class Odd(ValueError):
    pass
@tool
def fail(kind: str) -> None:
    """Fails."""
    raise Odd("odd one") if kind == "odd" else KeyError("k")
`);

    expect(
      await run(`try:
    tools.fail("odd")
except Odd as error:
    caught = [type(error).__name__, str(error)]
caught`),
    ).toEqual(["Odd", "odd one"]);
    expect(await errorOf("tools.fail('key')")).toMatchObject({ pythonType: "KeyError", message: "'k'" });
    await expect(session.client().callTool("fail", { kind: "odd" })).rejects.toMatchObject({
      name: "Odd",
      code: "TOOL_RAISED",
      message: "odd one",
    });
  });

  test("show the function's own line in the traceback, and none of ours", async () => {
    await run(`@tool
def divide(by: int) -> float:
    """Divides."""
    return 1 / by
`);

    const { error } = await session.run("tools.divide(0)");
    expect(error?.traceback).toContain("return 1 / by");
    expect(error?.traceback).toContain("tools.divide(0)");
    expect(error?.traceback).not.toContain("vitrine");
  });

  test("by a tool of the page reach the interpreter that waits for it", async () => {
    await run(DOUBLE);

    expect(await run("tools.relay(name='double', x=4)")).toBe(8);
  });

  test("by the page and other loops are runs of their own, with bytes and large values whole", async () => {
    await run(
      `${DOUBLE}@tool\ndef size(data: bytes) -> bytes:\n    """Twice the bytes."""\n    return data * 2\ncount = 0\n@tool\ndef more() -> int:\n    """Counts in the session's variable."""\n    global count\n    count += 1\n    return count`,
    );
    const client = session.client({ name: "loop" });
    const heard: JournalEntry[] = [];
    const stopListening = session.onCall((entry) => heard.push(entry));

    expect(await client.callTool("double", { x: 21 })).toBe(42);
    expect(await client.callTool("relay", { name: "double", x: 2 })).toBe(4);
    expect(await client.callTool("size", { data: new Uint8Array([1, 2]) })).toEqual(new Uint8Array([1, 2, 1, 2]));
    expect([await client.callTool("more"), await client.callTool("more")]).toEqual([1, 2]);
    expect(await run("count")).toBe(2);
    stopListening();
    expect(heard).toContainEqual(expect.objectContaining({ namespace: "tools", name: "double", caller: "client" }));
    expect(heard).toContainEqual(expect.objectContaining({ namespace: "tools", name: "double", caller: "tool" }));
    expect(heard).toContainEqual(
      expect.objectContaining({ namespace: "runs", name: "tools.double", caller: "client" }),
    );
  });

  test("wait for a run that goes on, also where calls of it have all the places", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
    const { promise: go, resolve: letGo } = Promise.withResolvers<undefined>();
    const busy = await openSession({
      limits: { concurrentCalls: 1 },
      tools: [
        functionTool({
          name: "gate",
          description: "Waits",
          input: z.object({}),
          run: async () => {
            begin(undefined);
            await go;
            return "open";
          },
        }),
      ],
    });
    await busy.run(IMPORT + DOUBLE);

    const running = busy.run("[tools.gate(), tools.gate()]");
    await begun;
    const called = busy.client().callTool("double", { x: 1 });
    letGo(undefined);

    expect((await running).value).toEqual(["open", "open"]);
    expect(await called).toBe(2);
    await busy.close();
  });

  test("from outside are stopped by their signal and by the tool's own limit, and the next one works", async () => {
    await run(`import time
@tool(timeout=0.3)
def spin() -> None:
    """Does not end."""
    while True:
        pass
@tool
def forever() -> None:
    """Sleeps."""
    time.sleep(1000)
${DOUBLE}`);
    const client = session.client();
    const stop = new AbortController();

    await expect(client.callTool("spin")).rejects.toMatchObject({ code: "TOOL_TIMEOUT", timeout: 300 });
    const sleeping = client.callTool("forever", {}, { signal: stop.signal });
    const waiting = client.callTool("double", { x: 3 });
    stop.abort();
    await expect(sleeping).rejects.toMatchObject({ code: "CALL_CANCELLED" });
    expect(await waiting).toBe(6);
  });

  test("by code that waits fail with ToolTimeoutError when the function was too long", async () => {
    await run(`import time
@tool(timeout=0.05)
def nap() -> str:
    """Sleeps."""
    time.sleep(0.2)
    return "up"
`);

    expect(await errorOf("tools.nap()")).toMatchObject({
      pythonType: "ToolTimeoutError",
      message: "Tool 'nap' timed out after 0.05s",
    });
  });
});

describe("who may register what", () => {
  const asAgent = (code: string) =>
    session.run(IMPORT + code, { helpers: { kind: "agent", taskId: "task", failures: [] } });

  test("an agent's code is asked about, with the source; a refusal leaves nothing", async () => {
    const { error } = await asAgent(DOUBLE);

    expect(error).toMatchObject({ pythonType: "ToolNotAllowedError" });
    expect(asked).toMatchObject([{ name: "tools.register", arguments: { name: "double", source: DOUBLE } }]);
    expect(session.tools.get("double")).toBeUndefined();

    decision = "allow";
    expect((await asAgent(`${DOUBLE}tools.double(2)`)).value).toBe(4);
  });

  test("a rule of the page decides without asking", async () => {
    const strict = await openSession({ approvals: { "tools.register": "deny" } });

    expect((await strict.run(IMPORT + DOUBLE)).error).toMatchObject({ pythonType: "ToolNotAllowedError" });
    await strict.close();
  });

  test("the same code may define it anew: the new function counts, in the same run too", async () => {
    await run(DOUBLE);

    expect(
      await run(`tools.double(2)\n${DOUBLE.replace("x * 2", "x * 200").replace("Twice", "Often")}tools.double(2)`),
    ).toBe(400);
    expect(session.tools.get("double")?.description).toBe("Often x.");
  });

  test("a name that the page's tools have is refused, and one that the page takes later is the page's", async () => {
    const taken = await errorOf(DOUBLE.replace("double", "upper"));
    expect(taken).toMatchObject({
      pythonType: "ValueError",
      message: expect.stringContaining("Tool 'upper' already registered") as unknown,
    });
    expect(asked).toEqual([]);

    await run(DOUBLE);
    session.tools.register(
      functionTool({
        name: "double",
        description: "The page's",
        input: z.object({ x: z.number() }),
        run: () => "page",
      }),
    );
    expect(await run("tools.double(x=1)")).toBe("page");
    await session.reset();
    expect(session.tools.get("double")?.description).toBe("The page's");
    await session.tools.remove("double");
  });

  test("a name that reads as a callable of one of the page's tools is refused, whatever Python says of it", async () => {
    const sly = [
      "class Sly(str):",
      "    def isidentifier(self):",
      "        return True",
      "def shout(text: str) -> str:",
      '    """Shouts."""',
      "    return 'taken over'",
      "shout.__name__ = Sly('upper.shout')",
      "tool(shout)",
    ];

    expect(await errorOf(sly.join("\n"))).toMatchObject({
      pythonType: "ValueError",
      message: expect.stringContaining("'upper_shout' would do") as unknown,
    });
    expect(asked).toEqual([]);
    expect(session.tools.list().map(({ name }) => name)).toEqual(["upper", "relay"]);
  });

  test("what a person agreed to for the session is that definition: not the next of its name, and not the page's", async () => {
    const calls: string[] = [];
    const careful = await openSession({
      approvals: { "tools.double": "ask" },
      onApproval: ({ name }) => {
        calls.push(name);
        return { decision: "allow", remember: "session" };
      },
    });
    const runs = async (code: string): Promise<unknown> => (await careful.run(IMPORT + code)).value;
    const call = "tools.double(x=1)";

    expect(await runs(`${DOUBLE}${call}\n${call}`)).toBe(2);
    expect(calls).toEqual(["tools.double"]);
    expect(await runs(`${DOUBLE.replace("x * 2", "x * 200")}${call}`)).toBe(200);
    expect(calls).toEqual(["tools.double", "tools.double"]);

    careful.tools.register(
      functionTool({ name: "double", description: "", input: z.object({ x: z.number() }), run: () => "page" }),
    );
    expect(await runs(`${call}\n${call}`)).toBe("page");
    expect(calls).toEqual(["tools.double", "tools.double", "tools.double"]);
    await careful.close();
  });

  test("the page cannot call a tool `register`, by which registrations go", () => {
    expect(() =>
      session.tools.register(functionTool({ name: "register", description: "", input: z.object({}), run: () => null })),
    ).toThrow(/tools\.register/);
  });
});

describe("with its interpreter", () => {
  test("it is gone after a reset, and a call says so", async () => {
    await run(DOUBLE);
    await session.reset();

    expect(session.tools.get("double")).toBeUndefined();
    expect(await errorOf("tools.double(1)")).toMatchObject({
      pythonType: "ToolNotFoundError",
      code: "TOOL_GONE",
      message: "Tool 'double' is gone: session code defined it, and the session was reset. Run its definition again.",
    });
    expect(await run("hasattr(tools, 'double')")).toBe(false);
    await expect(session.client().callTool("double", { x: 1 })).rejects.toMatchObject({ code: "TOOL_GONE" });

    expect(await run(`${DOUBLE}tools.double(1)`)).toBe(2);
  });

  test("it is gone when the interpreter was lost, and calls under way end", async () => {
    await run(`@tool
def stubborn() -> None:
    """Heeds nothing."""
    while True:
        try:
            tools.upper(text="begun")
            while True:
                pass
        except BaseException:
            pass
`);
    const stop = new AbortController();
    const call = session.client().callTool("stubborn", {}, { signal: stop.signal });
    await new Promise<void>((resolve) => {
      const forget = session.onCall(({ name, outcome }) => {
        if (name !== "upper" || outcome.kind !== "ok") return;
        forget();
        resolve();
      });
    });
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: "CALL_CANCELLED" });

    expect(await run("1")).toBe(1);
    expect(session.tools.get("stubborn")).toBeUndefined();
    expect(await errorOf("tools.stubborn()")).toMatchObject({ code: "TOOL_GONE" });
  });
});

import { McpServer } from "@modelcontextprotocol/server";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import {
  functionTool,
  mcpTool,
  type ApprovalRequest,
  type JournalEntry,
  type Session,
  type ToolAdapter,
} from "../../../src/index.js";
import { RUN, untilShown } from "../../timeouts.mjs";
import { openSession } from "./hosts.js";

const LONG = `tool_${"with_a_long_name_".repeat(4)}end`;

let working = 0;
let mostWorking = 0;
let letGo: (() => void)[] = [];
const ended: string[] = [];
const erased: string[] = [];
let asked: ApprovalRequest[] = [];

const tools: ToolAdapter[] = [
  functionTool({
    name: "together",
    description: "Answers once ten of them are at work",
    input: z.object({ n: z.int() }),
    hints: { readOnly: true },
    timeout: RUN,
    run: ({ n }) => {
      working += 1;
      mostWorking = Math.max(mostWorking, working);
      return new Promise<number>((resolve) => {
        letGo.push(() => {
          resolve(n);
        });
        if (letGo.length === 10) for (const release of letGo) release();
      }).finally(() => {
        working -= 1;
      });
    },
  }),
  functionTool({ name: "one", description: "Is one", input: z.object({}), run: () => 1 }),
  functionTool({
    name: "erase",
    description: "Erases",
    input: z.object({ path: z.string() }),
    hints: { destructive: true },
    run: ({ path }) => {
      erased.push(path);
      return "erased";
    },
  }),
  functionTool({
    name: "wait",
    description: "Waits until it is given up",
    input: z.object({}),
    timeout: RUN,
    run: (_, { signal }) => {
      working += 1;
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          working -= 1;
          ended.push("wait");
          reject(new Error("given up"));
        });
      });
    },
  }),
  functionTool({
    name: "outer",
    description: "Calls one",
    input: z.object({}),
    run: (_, { callTool }) => callTool("one"),
  }),
  functionTool({
    name: "count",
    description: "Counts to two, and says so as it comes to each",
    input: z.object({}),
    run: (_, { report }) => {
      for (const progress of [1, 2]) report({ progress, piece: `line ${String(progress)}` });
      return 2;
    },
  }),
];

function server(): McpServer {
  const made = new McpServer({ name: "page", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  const text = (said: string): { content: { type: "text"; text: string }[] } => ({
    content: [{ type: "text", text: said }],
  });
  made.registerTool(
    "greet-person",
    { description: "Greets", inputSchema: z.object({ name: z.string(), mark: z.string().default("!") }) },
    ({ name, mark }) => text(`Hello, ${name}${mark}`),
  );
  made.registerTool(LONG, {}, () => text("long"));
  made.registerTool("grow", {}, () => {
    made.registerTool("grown", {}, () => text("tall"));
    return { content: [] };
  });
  return made;
}

let session: Session;

beforeAll(async () => {
  session = await openSession({
    trust: "local",
    tools: [...tools, mcpTool({ name: "web", server: server() })],
    approvals: { "tools.one": "allow" },
    onApproval: (request) => {
      asked.push(request);
      return { decision: "deny", reason: "keep it" };
    },
  });
});

afterEach(() => {
  asked = [];
  letGo = [];
  working = mostWorking = 0;
  ended.length = erased.length = 0;
});

afterAll(async () => {
  await session.close();
});

describe("a call of codex_tools", () => {
  test("is one of ten that overlap, by gather and call_async (X26)", async () => {
    const { value, error } = await session.run(
      [
        "import asyncio, codex_tools",
        "await asyncio.gather(*(codex_tools.together.call_async(n=n) for n in range(10)))",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(mostWorking).toBe(10);
  });

  test("counts for the budget of its run, and the error names the limit (X30)", async () => {
    const small = await openSession({ trust: "local", tools, limits: { callsPerRun: 200 } });
    const { value, error } = await small.run(
      [
        "import codex_tools",
        "made = 0",
        "try:",
        "    for _ in range(10_000):",
        "        codex_tools.one()",
        "        made += 1",
        "except codex_tools.CallBudgetError as raised:",
        "    found = [made, raised.limit, str(raised)]",
        "found",
      ].join("\n"),
    );
    await small.close();

    expect(error).toBeNull();
    // The function itself was asked for once.
    expect(value).toEqual([199, 200, expect.stringMatching(/200.*callsPerRun/)]);
  });

  test("is refused by the session's rules as a direct one is (X31)", async () => {
    const ruled = await openSession({ trust: "local", tools, approvals: { "tools.erase": "deny" } });
    const refusal = (root: string): string =>
      `import codex_tools\ntry:\n    ${root}.erase(path='/etc/passwd')\nexcept ToolNotAllowedError as error:\n    found = str(error)\nfound`;
    const through = await ruled.run(refusal("codex_tools"));
    const direct = await ruled.run(refusal("tools"));
    await ruled.close();

    expect(through.value).toMatch(/tools\.erase was not allowed/);
    expect(through.value).toEqual(direct.value);
    expect(erased).toEqual([]);
  });

  test("is asked about as a direct one is, and the code may catch a no", async () => {
    const { value, error, calls } = await session.run(
      [
        "from codex_tools import erase, ToolNotAllowedError",
        "try:",
        "    erase('a')",
        "except ToolNotAllowedError as error:",
        "    found = [error.tool, error.message]",
        "found",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual(["erase", "tools.erase was not allowed: keep it"]);
    expect(asked).toMatchObject([{ name: "tools.erase", arguments: { path: "a" }, caller: "code" }]);
    expect(calls).toMatchObject([{ name: "erase", approval: "denied" }]);
    expect(erased).toEqual([]);
  });

  test("is given up with its run: the tool hears it, the code is interrupted (X34)", async () => {
    const stop = new AbortController();
    const running = session.run(
      "import codex_tools\ntry:\n    codex_tools.wait()\nexcept BaseException as error:\n    print(type(error).__name__)\n    raise",
      { signal: stop.signal },
    );
    await vi.waitFor(() => {
      expect(working).toBe(1);
    }, untilShown);

    stop.abort();

    const { error, stdout } = await running;
    expect(error).toMatchObject({ code: "RUN_INTERRUPTED" });
    expect(stdout).toBe("KeyboardInterrupt\n");
    expect(ended).toEqual(["wait"]);
  });

  test("has an id of its own, and those inside of it say whose they are (X35)", async () => {
    const { calls, error } = await session.run("import codex_tools\ncodex_tools.outer()\ncodex_tools.one()");

    expect(error).toBeNull();
    const [outer, inner, next] = calls;
    expect(calls.map(({ name }) => name)).toEqual(["outer", "one", "one"]);
    expect(outer).toMatchObject({ parent: null, caller: "code" });
    expect(inner).toMatchObject({ parent: outer?.id, caller: "tool" });
    expect(next?.parent).toBeNull();
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });

  test("is heard of when it begins, as pieces of its result come, and when it ends, with whose it is (X114)", async () => {
    const heard: unknown[] = [];
    let run: string | undefined;
    const { error } = await session.run("import codex_tools\ncodex_tools.outer()\ncodex_tools.count()", {
      onCall: ({ id, name, parent, runId, outcome }) => {
        run ??= runId;
        heard.push([name, outcome.kind, parent === null ? "top" : "inside", runId === run, id !== parent]);
      },
      onCallProgress: ({ name, piece }) => {
        heard.push([name, piece]);
      },
    });

    expect(error).toBeNull();
    expect(heard).toEqual([
      ["outer", "pending", "top", true, true],
      ["one", "pending", "inside", true, true],
      ["one", "ok", "inside", true, true],
      ["outer", "ok", "top", true, true],
      ["count", "pending", "top", true, true],
      ["count", "line 1"],
      ["count", "line 2"],
      ["count", "ok", "top", true, true],
    ]);
  });

  test("made by code in a child session is inside of the call that opened it", async () => {
    let parent: Session | undefined = undefined;
    let made: readonly JournalEntry[] = [];
    const inside = functionTool({
      name: "inside",
      description: "Runs code in a session of its own",
      input: z.object({ code: z.string() }),
      timeout: RUN,
      run: async ({ code }, { callId }) => {
        if (parent === undefined) throw new Error("too early");
        const child = await parent.openChild({ trust: "local", parentCall: callId });
        const result = await child.run(code);
        await child.close();
        made = result.calls;
        return result.value;
      },
    });
    parent = await openSession({ trust: "local", tools: [...tools, inside] });
    const { value, calls } = await parent.run(
      "import codex_tools\ncodex_tools.inside(code='from codex_tools import one\\none()')",
    );
    await parent.close();

    expect(value).toBe(1);
    expect(calls).toMatchObject([{ name: "inside", parent: null }]);
    expect(made).toMatchObject([{ name: "one", parent: calls[0]?.id }]);
  });
});

describe("tools of servers", () => {
  test("are called by mcp__server__tool and by server.tool, with signature and defaults (X14)", async () => {
    const { value, error, calls } = await session.run(
      [
        "import codex_tools, inspect",
        "flat = codex_tools.mcp__web__greet_person",
        "[flat('Ada'), codex_tools.web.greet_person(name='Bob', mark='?'), str(inspect.signature(flat)), flat.__name__,",
        " {'web', 'mcp__web__greet_person', 'mcp__web__grow'} <= set(dir(codex_tools))]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual([
      "Hello, Ada!",
      "Hello, Bob?",
      "(name: 'str', mark: 'str' = '!')",
      "mcp__web__greet_person",
      true,
    ]);
    expect(calls.map(({ name }) => name)).toEqual(["web.greet-person", "web.greet-person"]);
  });

  test("with a long name have one of 64 characters, the same each time (X15)", async () => {
    const { value, error } = await session.run(
      [
        "import codex_tools, hashlib",
        `whole = 'mcp__web__${LONG}'`,
        "name = whole[:24] + hashlib.sha1(whole.encode()).hexdigest()",
        "[len(name), name in dir(codex_tools), getattr(codex_tools, name)()]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual([64, true, "long"]);
  });

  test("that come later are there in the next run (X13)", async () => {
    const changed = new Promise<void>((resolve) => {
      session.tools.onChange(() => {
        if (session.tools.get("web")?.callables.some(({ name }) => name === "grown") === true) resolve();
      });
    });
    await session.run("import codex_tools\ncodex_tools.mcp__web__grow()");
    await changed;

    expect((await session.run("codex_tools.mcp__web__grown()")).value).toBe("tall");
  });

  test("that only the model's host could carry out are not there unless they are registered (X16)", async () => {
    const without = await session.run(
      "import codex_tools\n[hasattr(codex_tools, 'web_search'), 'web_search' in dir(codex_tools)]",
    );
    const unregister = functionTool({
      name: "web_search",
      description: "Searches",
      input: z.object({ query: z.string() }),
      run: ({ query }) => [`found ${query}`],
    });
    session.tools.register(unregister);
    const registered = await session.run("codex_tools.web_search('cats')");

    expect(without.value).toEqual([false, false]);
    expect(registered.value).toEqual(["found cats"]);
  });
});

describe("codex_tools.pyi", () => {
  test("is text, from Python and from the page, and is legal Python", async () => {
    const { value, error } = await session.run(
      "import ast, codex_tools\ntext = codex_tools.__pyi__\nast.parse(text)\ntext",
    );

    expect(error).toBeNull();
    expect(value).toBe(session.tools.codexStubs());
    expect(value).toContain('def erase(path: str) -> Any:\n    """Erases"""');
    expect(value).toContain("def mcp__web__greet_person(name: str, mark: str = '!') -> Any:");
    expect(value).toContain("web: _Web");
    expect(value).toContain("def read_file(file_path: str, offset: int = 1");
    expect(value).toContain("ToolRecursionError = NestingDepthError");
  });

  test("its names are completed in a console", async () => {
    const found = await session.complete("import codex_tools\ncodex_tools.mcp__web__gre");
    expect(found.options.map(({ label }) => label)).toEqual(["mcp__web__greet_person"]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";

import {
  functionTool,
  ToolCallError,
  ToolTimeoutError,
  ToolUnavailableError,
  VitrineError,
  type RunResult,
  type Session,
  type Value,
} from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";
import { openVariant, skipped, variants } from "./variants.js";

const MEGABYTE = 2 ** 20;

/** Errors that a tool can throw, by the class that Python must see. */
const errors: Readonly<Record<string, () => Error>> = {
  ToolTimeoutError: () => new ToolTimeoutError("fail", 2500),
  ToolUnavailableError: () => new ToolUnavailableError("fail", "no process", "Use url:"),
  ToolCallError: () => new ToolCallError("fail", "said no", { details: { status: 418 } }),
  ValueError: () => new BuiltinError(),
  Unexpected: () => new RangeError("out of range"),
};

class BuiltinError extends VitrineError {
  override readonly name = "ValueError";
  readonly code = "TEST_VALUE";

  constructor() {
    super("not that value");
  }
}

let received: Value;
let aborted: PromiseWithResolvers<null>;
let called: PromiseWithResolvers<null>;

const readOnly = { readOnly: true };
const tools = [
  functionTool({
    name: "identity",
    description: "Returns what it gets.",
    input: z.object({ value: z.any() }),
    hints: readOnly,
    run: ({ value }) => value as Value,
  }),
  functionTool({
    name: "take",
    description: "Keeps what it gets.",
    input: z.object({ value: z.any() }),
    run: ({ value }) => {
      received = value as Value;
      return null;
    },
  }),
  functionTool({
    name: "delegate",
    description: "Runs a skill.",
    input: z.object({ skill: z.string(), n: z.number() }),
    run: ({ skill, n }, { runSkill }) => runSkill(skill, { n }),
  }),
  functionTool({
    name: "fail",
    description: "Fails with an error of that class.",
    input: z.object({ kind: z.string() }),
    run: ({ kind }) => {
      throw errors[kind]?.() ?? new TypeError(kind);
    },
  }),
  functionTool({
    name: "megabytes",
    description: "So many megabytes.",
    input: z.object({ count: z.number() }),
    hints: readOnly,
    run: ({ count }) => {
      const bytes = new Uint8Array(count * MEGABYTE);
      bytes[0] = 1;
      bytes[bytes.length - 1] = 255;
      return bytes;
    },
  }),
  functionTool({
    name: "meet",
    description: "A request that is answered when so many are open at once.",
    input: z.object({ index: z.number(), n: z.number() }),
    hints: readOnly,
    run: async ({ index, n }, { signal }) => {
      const servers = inject("toolServers");
      const url = `${servers[index % servers.length] ?? ""}/open/concurrent?n=${String(n)}&ms=20000&i=${String(index)}`;
      return (await (await fetch(url, { signal })).json()) as Value;
    },
  }),
  functionTool({
    name: "never",
    description: "Does not answer.",
    input: z.object({}),
    run: (_input, { signal }) => {
      called.resolve(null);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted.resolve(null);
          reject(new Error("aborted"));
        });
      });
    },
  }),
];

function expectOk(result: RunResult): void {
  expect(result.error === null ? "" : String(result.error)).toBe("");
}

describe.each(variants)("calls over $transport at the $host host", (variant) => {
  const { calls, megabytes } = variant;
  let session: Session;

  beforeAll(async () => {
    session = await openVariant(variant, { tools, timeout: RUN });
    await session.skills.create({ name: "inner", source: "def run(n):\n    return tools.identity(value=n) + 1" });
    await session.skills.create({
      name: "outer",
      source: "async def run(n):\n    return await tools.delegate.call_async(skill='inner', n=n) * 10",
    });
    await session.skills.create({ name: "broken", source: "def run(n):\n    raise KeyError('inside')" });
  });
  afterAll(async () => {
    await session.close();
  });
  afterEach(() => {
    received = undefined;
  });

  const value = async (...code: string[]): Promise<Value> => {
    const result = await session.run(code.join("\n"));
    expectOk(result);
    return result.value;
  };

  test("go the way that was asked for", () => {
    expect(session.capabilities?.syncCalls.transport).toBe(variant.transport);
    expect(session.capabilities?.trust).toBe(variant.trust);
    expect(session.supports("sync_calls")).toBe(true);
  });

  test("a skill calls a tool that runs a skill that calls a tool", async () => {
    expect(await value("skills.outer(n=4)")).toBe(50);
    expect(await value("await skills.outer(n=4)")).toBe(50);
  });

  test("calls made in the course of another are noted as its children", async () => {
    const { calls: noted } = await session.run("skills.outer(n=4)");

    const [outer, delegate, inner, identity] = noted;
    expect(noted.map(({ name }) => name)).toEqual(["outer", "delegate", "inner", "identity"]);
    expect([delegate?.parent, inner?.parent, identity?.parent]).toEqual([outer?.id, delegate?.id, inner?.id]);
    expect(noted.every(({ outcome }) => outcome.kind === "ok")).toBe(true);
  });

  test("a skill that fails inside a tool fails the tool with the class it had", async () => {
    const found = await value(
      "from vitrine import SkillExecutionError",
      "try:",
      "    tools.delegate(skill='broken', n=1)",
      "except SkillExecutionError as error:",
      "    found = [error.original_type, str(error)]",
      "found",
    );

    expect(found).toEqual(["KeyError", "KeyError: 'inside'"]);
  });

  test("synchronous code in asynchronous code in synchronous code", async () => {
    expect(
      await value(
        "import asyncio",
        "def low(n): return tools.identity(value=n)",
        "async def middle(n): return low(n) + await tools.identity.call_async(value=n)",
        "def high(n): return asyncio.run(middle(n)) + low(n)",
        "async def top(n): return high(n) + await middle(n)",
        "[high(1), asyncio.run(top(1)), await top(1), await asyncio.gather(top(1), top(2))]",
      ),
    ).toEqual([3, 5, 5, [5, 10]]);
  });

  test("asyncio.run of a call", async () => {
    expect(await value("import asyncio", "asyncio.run(tools.identity.call_async(value='x'))")).toBe("x");
  });

  test("an awaited call lets other tasks go on", async () => {
    expect(
      await value(
        "import asyncio",
        "seen = []",
        "async def count():",
        "    for n in range(3):",
        "        seen.append(n)",
        "        await asyncio.sleep(0)",
        "task = asyncio.create_task(count())",
        "await tools.identity.call_async(value=1)",
        "await task",
        "seen",
      ),
    ).toEqual([0, 1, 2]);
  });

  test.each([
    ["ToolTimeoutError", "ToolTimeoutError", "Tool 'fail' timed out after 2.5s"],
    ["ToolUnavailableError", "ToolUnavailableError", "Tool 'fail' cannot be called here: no process. Use url:"],
    ["ToolCallError", "ToolCallError", "Tool 'fail' failed: said no"],
    ["ValueError", "ValueError", "not that value"],
    ["Unexpected", "ToolCallError", "Tool 'fail' failed: out of range"],
  ])("%s keeps its class, called plain, awaited and gathered", async (kind, name, message) => {
    const call = `kind='${kind}'`;
    const found = await value(
      "import asyncio",
      "found = []",
      "try:",
      `    tools.fail(${call})`,
      "except Exception as error:",
      "    found.append([type(error).__name__, str(error)])",
      "try:",
      `    await tools.fail(${call})`,
      "except Exception as error:",
      "    found.append([type(error).__name__, str(error)])",
      `[error] = await asyncio.gather(tools.fail.call_async(${call}), return_exceptions=True)`,
      "found.append([type(error).__name__, str(error)])",
      "found",
    );

    expect(found).toEqual(Array.from({ length: 3 }, () => [name, message]));
  });

  test("an error carries the fields of the page's error", async () => {
    expect(
      await value(
        "from vitrine import ToolCallError, ToolTimeoutError",
        "try:",
        "    tools.fail(kind='ToolCallError')",
        "except ToolCallError as error:",
        "    found = [error.status, error.tool_name, error.namespace, error.operation, error.code]",
        "try:",
        "    tools.fail(kind='ToolTimeoutError')",
        "except ToolTimeoutError as error:",
        "    found.append(error.timeout_seconds)",
        "found",
      ),
    ).toEqual([418, "fail", "tools", "call", "TOOL_CALL", 2.5]);
  });

  test(`a result of ${String(megabytes)} MB of bytes arrives whole, and goes back whole`, async () => {
    const found = await value(
      `data = tools.megabytes(count=${String(megabytes)})`,
      "found = [type(data).__name__, len(data), data[0], data[1], data[-1]]",
      "tools.take(value=data)",
      "found",
    );

    expect(found).toEqual(["bytes", megabytes * MEGABYTE, 1, 0, 255]);
    const bytes = received as Uint8Array;
    expect([bytes.length, bytes[0], bytes[1], bytes.at(-1)]).toEqual([megabytes * MEGABYTE, 1, 0, 255]);
  });

  test(`${String(megabytes)} MB of bytes come as the value of a run`, async () => {
    const bytes = (await value(
      "data = None",
      `bytes([1]) + bytes(${String(megabytes)} * 2**20 - 2) + bytes([255])`,
    )) as Uint8Array;

    expect([bytes.length, bytes[0], bytes[1], bytes.at(-1)]).toEqual([megabytes * MEGABYTE, 1, 0, 255]);
  });

  test(`${String(calls)} calls in a loop are all answered, each with its own answer`, async () => {
    expect(await value(`all(tools.identity(value=n) == n for n in range(${String(calls)}))`)).toBe(true);
  });

  test("gather over 20 slow calls has 20 requests open at once", async () => {
    const reset = `${inject("toolServer")}/open/concurrent/reset`;
    await fetch(reset);

    const answers = await value(
      "import asyncio",
      "answers = await asyncio.gather(*(tools.meet.call_async(index=i, n=20) for i in range(20)))",
      "[answer['reached'] for answer in answers]",
    );

    expect(answers).toEqual(Array.from({ length: 20 }, () => true));
    const { maximum } = (await (await fetch(`${inject("toolServer")}/open/concurrent/maximum`)).json()) as {
      maximum: number;
    };
    expect(maximum).toBe(20);
  });

  test("time.sleep returns, also inside a coroutine", async () => {
    expect(
      await value(
        "import time",
        "time.sleep(0.05)",
        "async def nap():",
        "    time.sleep(0.05)",
        "    return 'rested'",
        "await nap()",
      ),
    ).toBe("rested");
  });

  test("time.sleep refuses a negative length", async () => {
    expect((await session.run("import time; time.sleep(-1)")).error).toMatchObject({ pythonType: "ValueError" });
  });

  test.each([
    ["time.sleep", "import time", "time.sleep(600)"],
    ["asyncio.sleep", "import asyncio", "await asyncio.sleep(600)"],
    ["asyncio.run", "import asyncio", "asyncio.run(asyncio.sleep(600))"],
  ])("%s is interrupted, and variables stay", async (_name, setUp, wait) => {
    const running = session.run(`${setUp}\nkept = 'kept'\nprint('waiting')\n${wait}`, {
      onOutput: () => {
        session.interrupt();
      },
    });

    expect((await running).error).toMatchObject({ code: "RUN_INTERRUPTED", pythonType: "RunInterruptedError" });
    expect(await value("kept")).toBe("kept");
  });

  test.each([
    ["plain", "tools.never()"],
    ["awaited", "await tools.never()"],
    ["gathered", "import asyncio\nawait asyncio.gather(tools.never.call_async(), asyncio.sleep(600))"],
  ])("a %s call is interrupted, the tool is told so, and variables stay", async (_name, call) => {
    aborted = Promise.withResolvers();
    called = Promise.withResolvers();
    const running = session.run(`kept = 1\n${call}`);
    await called.promise;

    session.interrupt();

    expect((await running).error).toMatchObject({ code: "RUN_INTERRUPTED" });
    await aborted.promise;
    expect(await value("kept")).toBe(1);
  });

  test("a deadline ends a call that waits, and variables stay", async () => {
    aborted = Promise.withResolvers();
    called = Promise.withResolvers();

    const { error } = await session.run("kept = 2\ntools.never()", { timeout: 200 });

    expect(error).toMatchObject({ code: "RUN_TIMEOUT", message: "Execution timeout after 0.2 seconds" });
    await aborted.promise;
    expect(await value("kept")).toBe(2);
  });

  test("a task left over by one run is finished by the next", async () => {
    await value(
      "import asyncio",
      "task = asyncio.create_task(tools.identity.call_async(value='late'))",
      "await asyncio.sleep(0)",
      "None",
    );

    expect(await value("await task")).toBe("late");
  });

  test("a task that was never started runs in the next run", async () => {
    await value(
      "import asyncio",
      "await asyncio.sleep(0)",
      "task = asyncio.create_task(tools.identity.call_async(value='later'))",
      "None",
    );

    expect(await value("await task")).toBe("later");
  });

  test("input is answered by EOFError where nobody is there", async () => {
    expect((await session.run("input('name? ')")).error).toMatchObject({
      pythonType: "EOFError",
      code: "PYTHON_ERROR",
    });
  });
});

for (const reason of skipped) test.skip(reason);

import workerAddress from "browser-basedpyright/dist/pyright.worker.js?url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import {
  CodeAgent,
  functionTool,
  memoryStorage,
  pyrightTypeChecker,
  Session,
  type Finding,
  type TypeChecker,
} from "../../../src/index.js";
import guide from "../../../docs/check.md?raw";
import { shippedTasks } from "../../../src/ui/tasks/index.js";
import { conformanceCases, fixtureCommands, fixtureSeeds, fixtureTools } from "../../conformance/index.js";
import { openTaskSession, replay, speaker } from "../tasks/task-session.js";
import { ANSWERS, LONG_TEST, RUN, untilShown } from "../../timeouts.mjs";
import { runningCode } from "./running-code.js";

const weather = functionTool({
  name: "weather",
  description: "Weather of a city.",
  input: z.object({ city: z.string(), unit: z.enum(["C", "F"]).default("C") }),
  output: z.object({ celsius: z.number(), station: z.string().optional() }),
  run: () => ({ celsius: 3 }),
});
const Line = z.object({ sku: z.string(), count: z.int() });
const order = functionTool({
  name: "order",
  description: "Orders goods.",
  input: z.object({
    items: z.array(Line),
    address: z.object({ street: z.string() }),
    tags: z.array(z.string()).optional(),
    when: z.enum(["now", "later"]).default("now"),
    boxes: z.int().optional(),
    note: z.string().optional(),
  }),
  output: z.object({
    total: z.number(),
    status: z.enum(["open", "closed"]),
    remark: z.string().optional(),
    lines: z.array(Line),
  }),
  run: ({ items }) => ({ total: 3, status: "open" as const, lines: items }),
});

const open = functionTool({
  name: "profile",
  description: "What is known of somebody.",
  input: z.object({ name: z.string(), size: z.number().optional(), exact: z.boolean().optional() }),
  output: z.looseObject({ name: z.string() }),
  run: ({ name }) => ({ name }),
});

const types = pyrightTypeChecker({ worker: workerAddress, startTimeout: ANSWERS, timeout: RUN });
let session: Session;
/** The same script for workers that are to start faster than the development server answers. */
let script: Blob;
beforeAll(async () => {
  [session] = await Promise.all([
    Session.open({ storage: memoryStorage(), tools: [weather, order, open] }),
    types.start(),
  ]);
  script = await (await fetch(workerAddress)).blob();
});
afterAll(async () => {
  types.close();
  await session.close();
});

/** `TYPE 2:24-2:25`, in the order of the code. */
function placesOf(findings: readonly Finding[]): string[] {
  return findings.map(
    ({ code, line, column, endLine = line, endColumn = column }) =>
      `${code} ${String(line)}:${String(column)}-${String(endLine)}:${String(endColumn)}`,
  );
}

describe("what the first check cannot see is found, with its place", () => {
  test.each([
    ["a variable of another type as an argument", "city = 3\ntools.weather(city=city)", "TYPE 2:20-2:24"],
    ["the same of a call that is awaited", "n = 3\nawait tools.weather.call_async(n)", "TYPE 2:32-2:33"],
    ["text for a list", "items = 'all'\ntools.order(items=items, address=dict(street='a'))", "TYPE 2:19-2:24"],
    ["a key that a tool's result does not have", "w = tools.weather('Oslo')\nw['kelvin']", "TYPE 2:1-2:12"],
    [
      "and one inside of it",
      "o = await tools.order.call_async([], dict(street='a'))\no['lines'][0]['price']",
      "TYPE 2:1-2:23",
    ],
    ["text in a sum with what a result holds", "o = tools.weather('Oslo')\n1 + (o['celsius'] + 'C')", "TYPE 2:5-2:25"],
    ["a number and what a function returns", "def label():\n    return 'a'\ntotal = 1 + label()", "TYPE 3:9-3:20"],
    ["an attribute", "[1, 2].push(3)", "TYPE 1:8-1:12"],
    ["an attribute that neither of two types has", "x = 1 if input() else 'a'\nx.push(3)", "TYPE 2:3-2:7"],
    ["an attribute of a module", "import math\nmath.squareroot(2)", "TYPE 2:6-2:16"],
    ["an argument of a function", "def f(a):\n    return a\nf()", "TYPE 3:1-3:4"],
    ["a parameter of a tool behind another name", "t = tools\nt.weather(city='a', town='b')", "TYPE 2:21-2:25"],
    ["what cannot be called", "x = 5\nx()", "TYPE 2:1-2:4"],
    ["what has no parts", "x = 5\nx['a']", "TYPE 2:1-2:2"],
    ["what cannot be walked over", "n = 5\nfor i in n:\n    print(i)", "TYPE 2:10-2:11"],
    ["values that are more than names", "a, b = 1, 2, 3", "TYPE 1:1-1:5"],
    ["a place behind other characters", "s = '😀' + (1 + 'a')", "TYPE 1:12-1:21"],
    ["a place in code with Windows' line ends", "x = 1\r\nx.push()\r\n", "TYPE 2:3-2:7"],
  ])("%s", async (_what, code, place) => {
    expect(placesOf(await session.check(code, { types }))).toEqual([place]);
    expect(placesOf(await session.check(code))).toEqual([]);
  });

  test("and each says what is wrong and what to write instead", async () => {
    expect(await session.check("city = 3\ntools.weather(city=city)", { types })).toEqual([
      {
        severity: "warning",
        code: "TYPE",
        message: 'Argument of type "Literal[3]" cannot be assigned to parameter "city" of type "str"',
        line: 2,
        column: 20,
        endLine: 2,
        endColumn: 24,
        suggestion: "Convert it: `str(…)`.",
        pythonType: "TypeError",
      },
    ]);
    expect(await session.check("tools.weather('Oslo')['kelvin']", { types })).toMatchObject([
      { message: "The result has no key 'kelvin'", pythonType: "KeyError" },
    ]);
  });
});

test("the guide shows what its sample gives", async () => {
  const [finding] = await session.check(`def label():\n    return "a"\n1 + label()`, { types });

  const { line, column, endLine, endColumn, message, suggestion } = finding!;
  expect(guide).toContain(
    `line: ${line}, column: ${column}, endLine: ${endLine}, endColumn: ${endColumn}, pythonType: "TypeError"`,
  );
  expect(guide.replaceAll("\\'", "'")).toContain(`message: '${message}'`);
  expect(guide).toContain(`suggestion: "${suggestion}"`);
});

describe("what runs is no finding", () => {
  test.each(runningCode)("%j", async (code) => {
    const findings = await session.check(code, { types });

    expect(findings.filter((finding) => finding.code === "TYPE" || finding.code === "NOT_CHECKED")).toEqual([]);
  });

  test("nor are names of earlier runs, whatever they hold", async () => {
    await session.run("total = 1\n_hidden = [1]\nimport json as Any\ndef helper(): return 2\nclass Kept: pass");

    const code =
      "total += 'a'\n_hidden.foo\nAny.x\nhelper().x\nclass Own(Kept):\n    pass\nOwn().x\nhelper = 3\nhelper + 1";
    expect(await session.check(code, { types })).toEqual([]);
  });

  test("nor is anything that the shipped tasks do", { timeout: LONG_TEST }, async () => {
    const taskSession = await openTaskSession();
    try {
      for (const task of shippedTasks) {
        const { state, steps } = await (await replay(taskSession, task, { check: { types } })).result;

        expect(state).toBe("completed");
        expect(steps.flatMap(({ run }) => run?.findings ?? [])).toEqual([]);
      }
    } finally {
      await taskSession.close();
    }
  });

  test("nor is any code of the specification's rows that ends well", { timeout: LONG_TEST }, async () => {
    const steps = Object.values(conformanceCases).flatMap((rows) => rows.flatMap((row) => row.steps));
    const ending = steps.flatMap((step) => (step.kind === "run" && step.expect.error === undefined ? [step.code] : []));
    // Code that catches what it provokes is warned of, and rightly.
    const codes = ending.filter((code) => !/\bexcept\b/.test(code));
    const rowSession = await Session.open({
      storage: memoryStorage(),
      seeds: fixtureSeeds,
      tools: fixtureTools,
      commands: fixtureCommands,
      // Some of the servers are meant to be down.
      onProblem: () => undefined,
    });
    try {
      expect(codes.length).toBeGreaterThan(100);
      for (const code of new Set(codes)) {
        const findings = await rowSession.check(code, { types });

        expect(findings.filter((finding) => finding.code === "TYPE" || finding.code === "NOT_CHECKED")).toEqual([]);
      }
    } finally {
      await rowSession.close();
    }
  });
});

describe("comments cannot keep the checker from its end, or make it say more", () => {
  test.each([
    "# pyright: reportAttributeAccessIssue=false",
    "# pyright: basic, reportAttributeAccessIssue=none",
    "#pyright:basic",
    "#\f pyright: strict",
    "# type: ignore",
    "# pyright: ignore",
    "if True:\n    pass # pyright: reportAttributeAccessIssue=false",
  ])("%j", async (comment) => {
    const code = `${comment}\ndef f(x: int = None): return x\n1 + 'a'`;
    const line = code.split("\n").length;

    expect(placesOf(await session.check(code, { types }))).toEqual([`TYPE ${line}:1-${line}:8`]);
  });

  test("but one about its own line is heard", async () => {
    expect(await session.check("1 + 'a'  # pyright: ignore\n2 + 'b'  # type: ignore", { types })).toEqual([]);
  });
});

test("long lines and many doubts take no longer than their text is", async () => {
  const request = { prelude: "class _NoKey: ...", stubs: new Map<string, string>() };
  const line = `# ${"except ".repeat(150_000)}`;
  const keys = Array.from({ length: 40 }, (_, index) => `tools.weather('Oslo')['k${index}']`).join("\n");
  const kept = { stubs: new Map<string, string>() };
  await session.check("x = 1", {
    types: { check: ({ stubs }) => ((kept.stubs = new Map(stubs)), Promise.resolve([])) },
  });

  const findings = await types.check({
    ...request,
    stubs: kept.stubs,
    prelude: "from vitrine_tools import tools",
    code: `${line}\n${keys}`,
  });

  expect(findings.map(({ message }) => message)).toEqual(
    Array.from({ length: 40 }, (_, index) => `The result has no key 'k${index}'`),
  );
});

test("what the first check found is not said twice", async () => {
  expect(placesOf(await session.check("tools.weather(city=3)", { types }))).toEqual(["ARGUMENT_TYPE 1:20-1:21"]);
});

test("code that is no Python has Python's own word alone", async () => {
  const findings = await session.check("def f(:\n  1 + 'a'", { types });

  expect(findings.map(({ code }) => code)).toEqual(["SYNTAX"]);
});

test("tools that come and go are known with the next check", async () => {
  const other = await Session.open({ storage: memoryStorage() });
  try {
    const code = "n = 3\nt = tools\nt.weather(city=n)";
    expect(await other.check(code, { types })).toEqual([]);

    other.tools.register(weather);
    expect(placesOf(await other.check(code, { types }))).toEqual(["TYPE 3:16-3:17"]);

    expect(await other.check(code, { types, scope: { names: [] } })).toEqual([]);
  } finally {
    await other.close();
  }
});

test("sessions may share a checker, and check at once", async () => {
  const other = await Session.open({ storage: memoryStorage() });
  try {
    const codes = ["x = 1 + 'a'", "x = 2\ny = x + 'b'", "z = len('c')"];
    const found = await Promise.all(
      [session, other].flatMap((each) => codes.map((code) => each.check(code, { types }))),
    );

    const places = [["TYPE 1:5-1:12"], ["TYPE 2:5-2:12"], []];
    expect(found.map(placesOf)).toEqual([...places, ...places]);
  } finally {
    await other.close();
  }
});

test("a run goes on with what the type checker says, and its result has it", async () => {
  const { value, findings } = await session.run("def later():\n    return 1 + 'a'\n5", { check: { types } });

  expect(value).toBe(5);
  expect(placesOf(findings)).toEqual(["TYPE 2:12-2:19"]);
});

test("an agent's model is told", async () => {
  const model = speaker([
    "```python\ndef later():\n    return 1 + 'a'\nprint('went on')\n```",
    "```python\nfinal_answer(1)\n```",
  ]);

  const { state, steps } = await new CodeAgent({ session, model, check: { types } }).run("Do it.").result;

  expect(state).toBe("completed");
  expect(steps[0]?.observation).toContain("went on");
  expect(steps[0]?.observation).toContain('line 2: Operator "+" not supported for types');
});

describe("a checker that fails costs its opinion alone", () => {
  const code = "tools.wether(city='Oslo')\nx = 1 + 'a'";

  test.each<[string, TypeChecker & { close(): void }, string]>([
    ["a script that is not there", pyrightTypeChecker({ worker: nowhere() }), "does not load"],
    [
      "a worker that cannot be made",
      pyrightTypeChecker({
        worker: () => {
          throw new TypeError("No workers today.");
        },
      }),
      "No workers today.",
    ],
    ["a script that fails", pyrightTypeChecker({ worker: () => workerOf("throw new Error('Broken.')") }), "Broken."],
    [
      "a script that says something else",
      pyrightTypeChecker({ worker: () => workerOf("postMessage({ hello: 1 })") }),
      "says what the protocol does not know",
    ],
    [
      "a script that says nothing",
      pyrightTypeChecker({ worker: () => workerOf("onmessage = () => {}"), startTimeout: 50 }),
      "start took longer than 0.05 seconds",
    ],
  ])("%s", async (_what, failing, reason) => {
    const findings = await session.check(code, { types: failing });

    expect(findings.map((finding) => finding.code)).toEqual(expect.arrayContaining(["UNKNOWN_TOOL", "NOT_CHECKED"]));
    expect(findings.find((finding) => finding.code === "NOT_CHECKED")?.message).toContain(reason);
    failing.close();
  });

  test("a start that failed is not tried again by each check, but by start()", async () => {
    const spawned: Worker[] = [];
    const mute = pyrightTypeChecker({
      worker: () => {
        const worker = workerOf("onmessage = () => {}");
        spawned.push(worker);
        return worker;
      },
      startTimeout: 50,
    });
    const request = { code: "", prelude: "", stubs: new Map<string, string>() };
    const now = vi.spyOn(performance, "now");
    try {
      await expect(mute.check(request)).rejects.toMatchObject({ code: "TYPE_CHECK_TIMEOUT", what: "start" });
      await expect(mute.check(request)).rejects.toMatchObject({ code: "TYPE_CHECK_TIMEOUT", what: "start" });
      expect(spawned).toHaveLength(1);

      await expect(mute.start()).rejects.toMatchObject({ code: "TYPE_CHECK_TIMEOUT" });
      expect(spawned).toHaveLength(2);

      const later = performance.now() + 300_001;
      now.mockImplementation(() => later);
      await expect(mute.check(request)).rejects.toMatchObject({ code: "TYPE_CHECK_TIMEOUT" });
      expect(spawned).toHaveLength(3);
    } finally {
      now.mockRestore();
      mute.close();
    }
  });

  test("a server that refuses to start is ended", async () => {
    const ended = vi.spyOn(Worker.prototype, "terminate");
    const answer = `postMessage({ jsonrpc: "2.0", id: data.id, error: { code: -32603, message: "Not today." } })`;
    const refusing = pyrightTypeChecker({
      worker: () => workerOf(`onmessage = ({ data }) => { if (data.id !== undefined) ${answer}; }`),
    });
    try {
      const refusal = await refusing.start().catch((error: unknown) => error);

      expect(refusal).toMatchObject({ code: "TYPE_CHECKER_START" });
      expect(String(refusal)).toContain("Not today.");
      expect(ended).toHaveBeenCalledTimes(1);
    } finally {
      ended.mockRestore();
      refusing.close();
    }
  });

  test("its errors have codes", async () => {
    const request = { code: "", prelude: "", stubs: new Map<string, string>() };
    const missing = pyrightTypeChecker({ worker: nowhere() });
    const mute = pyrightTypeChecker({ worker: () => workerOf("onmessage = () => {}"), startTimeout: 50 });

    await expect(missing.check(request)).rejects.toMatchObject({ code: "TYPE_CHECKER_START" });
    await expect(mute.start()).rejects.toMatchObject({ code: "TYPE_CHECK_TIMEOUT", what: "start", limit: 50 });
    missing.close();
    await expect(missing.check(request)).rejects.toMatchObject({ code: "TYPE_CHECKER_CLOSED" });
    mute.close();
  });

  test("code that keeps it too busy is given up, and the next check starts it anew", async () => {
    const checker = pyrightTypeChecker({ worker: () => workerOf(script), timeout: RUN });
    try {
      await checker.start();
      // Each line doubles the type that is to be told.
      const pairs = (name: string): string =>
        Array.from({ length: 30 }, (_, index) => `${name}${index + 1} = (${name}${index}, ${name}${index})`).join("\n");
      const busy = `a0 = (1, "a")\n${pairs("a")}\n${"a30 + 1\n".repeat(40)}`;
      const request = { prelude: "", stubs: new Map<string, string>() };

      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const tooMuch = checker.check({ ...request, code: busy });
      await vi.waitUntil(() => vi.getTimerCount() > 0, untilShown);
      vi.advanceTimersByTime(RUN);

      await expect(tooMuch).rejects.toMatchObject({ code: "TYPE_CHECK_TIMEOUT", what: "check" });
      vi.useRealTimers();
      expect(placesOf(await checker.check({ ...request, code: "x = 1 + 'a'" }))).toEqual(["TYPE 1:5-1:12"]);
    } finally {
      vi.useRealTimers();
      checker.close();
    }
  });
});

test("close() ends the workers, and what is being checked", async () => {
  const ended = vi.spyOn(Worker.prototype, "terminate");
  const own = pyrightTypeChecker({ worker: () => workerOf(script) });
  await own.start();
  const going = own.check({ code: "x = 1", prelude: "", stubs: new Map() });

  own.close();

  await expect(going).rejects.toMatchObject({ code: "TYPE_CHECKER_CLOSED" });
  expect(ended).toHaveBeenCalledTimes(2);
  ended.mockRestore();
});

function workerOf(source: Blob | string): Worker {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return new Worker(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** An address at which there is nothing any more. */
function nowhere(): string {
  const address = URL.createObjectURL(new Blob([""]));
  URL.revokeObjectURL(address);
  return address;
}

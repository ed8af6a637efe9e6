import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Session } from "../../../src/index.js";
import { deepSources, endlessRecursion, repeated } from "../../deep-code.js";
import { CodeAgent } from "../../../src/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";
import { hosts, openSession } from "./hosts.js";

describe.each(hosts)("deep code at the $host host", ({ trust }) => {
  let session: Session;

  beforeAll(async () => {
    session = await openSession({ trust });
    await session.run("kept = 42");
  });
  afterAll(async () => {
    await session.close();
  });

  test.each(endlessRecursion)(
    "recursion without end through %s is a RecursionError, and variables stay",
    async (_name, code) => {
      const { error } = await session.run(code);

      expect(error).toMatchObject({ pythonType: "RecursionError" });
      expect((await session.run("kept")).value).toBe(42);
    },
  );

  test.each(deepSources)(
    "source of 2,000 and of 20,000 %s is a RecursionError, and variables stay",
    async (_name, source) => {
      for (const levels of [2000, 20_000]) {
        const { error } = await session.run(source(levels));
        expect(error).toMatchObject({ pythonType: "RecursionError" });
      }
      expect((await session.run("kept")).value).toBe(42);
    },
  );

  test.each(deepSources)("source of 300 %s runs", async (_name, source) => {
    expect((await session.run(source(300))).error).toBeNull();
  });

  test("a long table of data runs, and so does a long program", async () => {
    const table = Array.from({ length: 5000 }, (_, n) => `(${String(n)}, -${String(n)}, "a (b) [c] + d")`).join(
      ",\n  ",
    );
    const lines = Array.from({ length: 5000 }, (_, n) => `a = [x for x in range(3) if x + ${String(n)} > 1]`).join(
      "\n",
    );

    expect((await session.run(`t = [\n  ${table},\n]\nlen(t)`)).value).toBe(5000);
    expect((await session.run(`${lines}\na`)).value).toEqual([0, 1, 2]);
  });

  test("functions that call themselves as deep as people write them still do", async () => {
    const code = `
import functools
@functools.cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def depth(tree): return 1 + max((depth(each) for each in tree), default=0)
tree = []
for _ in range(90): tree = [tree]
def plain(n): return 0 if n == 0 else 1 + plain(n - 1)
[fib(300) > 0, depth(tree), plain(900)]`;

    expect((await session.run(code)).value).toEqual([true, 91, 900]);
  });

  test("a module of a long function is imported", async () => {
    const branches = Array.from({ length: 400 }, (_, n) => `    elif n == ${String(n)}: return ${String(n)}`).join(
      "\n",
    );
    const source = `def pick(n):\n    if n < 0: return None\n${branches}\n`;
    await session.workspace.write("long_module.py", new TextEncoder().encode(source));

    expect((await session.run("import long_module\nlong_module.pick(399)")).value).toBe(399);
  });

  test("a skill of 400 branches works, and a long f-string with braces is not deep", async () => {
    const branches = Array.from({ length: 400 }, (_, n) => `    elif n == ${String(n)}: return ${String(n)}`).join(
      "\n",
    );
    await session.skills.create({ name: "pick", source: `def run(n: int):\n    if n < 0: return None\n${branches}\n` });
    const rules = Array.from({ length: 60 }, (_, n) => `.c${String(n)} {{ color: #2c3e50; for: x; }}`).join("\n");

    const { value } = await session.run(
      `w = 3\ncss = f"""<style>\n${rules}\n</style>{w}"""\n[skills.pick(n=399), len(css)]`,
    );

    expect(value).toEqual([399, expect.any(Number)]);
  });

  test("a module of deep source is a RecursionError", async () => {
    await session.workspace.write("deep_module.py", new TextEncoder().encode(`x = ${repeated("-", 20_000)}1\n`));

    expect((await session.run("import deep_module")).error).toMatchObject({ pythonType: "RecursionError" });
    expect((await session.run("kept")).value).toBe(42);
  });

  test("a skill of deep source is refused", async () => {
    const deep = `def run():\n    return 1${repeated("+1", 3000)}\n`;

    await expect(session.skills.create({ name: "deep", source: deep })).rejects.toMatchObject({ code: "SKILL_SYNTAX" });
    const { error } = await session.run(`skills.create("deep", ${JSON.stringify(deep)})`);
    expect(error).toMatchObject({ pythonType: "SkillSyntaxError" });
    expect((await session.run("kept")).value).toBe(42);
  });
});

test("a skill of deep source that lies in the storage is a listed problem, and hides no other", async () => {
  const session = await openSession({
    trust: "sandboxed",
    seeds: [
      { file: "skills/deep.py", text: `def run():\n    return 1${repeated("+1", 3000)}\n` },
      { file: "skills/good.py", text: "def run():\n    return 42\n" },
    ],
  });

  const { skills, problems } = await session.skills.list();
  const { value } = await session.run("[skill.name for skill in skills.list()] + [skills.good()]");
  await session.close();

  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(problems).toMatchObject([{ file: "skills/deep.py", code: "SKILL_SYNTAX" }]);
  expect(value).toEqual(["good", 42]);
});

test("an agent starts, and uses the other skills, where one of deep source lies in the storage", async () => {
  const session = await openSession({
    trust: "sandboxed",
    seeds: [
      { file: "skills/deep.py", text: `def run():\n    return 1${repeated("+1", 3000)}\n` },
      { file: "skills/good.py", text: "def run():\n    return 42\n" },
    ],
  });
  const model = dictated(block("final_answer(skills.good())"));

  const { output } = await new CodeAgent({ session, model }).run("What does the good skill say?").result;
  await session.close();

  expect(output).toBe("42");
});

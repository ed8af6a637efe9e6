import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Session, SessionOptions } from "../../../src/index.js";
import { openSession } from "./hosts.js";

let session: Session;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function open(options: Partial<SessionOptions> = {}): Promise<void> {
  session = await openSession(options);
  await session.skills.create({ name: "triple", source: "def run(n: int) -> int:\n    return 3 * n" });
  await session.skills.create({
    name: "fails",
    source: "class Odd(Exception):\n    pass\n\ndef run():\n    raise Odd('so it is')",
  });
  await session.skills.create({
    name: "point",
    source: `from __future__ import annotations
import pickle
from dataclasses import dataclass
@dataclass
class Point:
    x: int
    y: "float" = 0.5
def run(x):
    return pickle.loads(pickle.dumps(Point(x)))`,
  });
}

beforeEach(() => open());
afterEach(() => session.close());

describe("once a skill has run, the module name skills", () => {
  test("is that of a module which is written then", async () => {
    const { value, error } = await session.run(`
n = skills.triple(n=7)
open("skills.py", "w").write("def mine(): return 'mine'")
import importlib; importlib.invalidate_caches()
from skills import mine
[n, mine()]`);

    expect(error).toBeNull();
    expect(value).toEqual([21, "mine"]);
  });

  test("is that of a module which the page writes then", async () => {
    await session.run("skills.triple(n=7)");
    await session.workspace.write("skills.py", bytes("LEVEL = 5"));

    const { value, error } = await session.run("import skills as levels\n[levels.LEVEL, levels.__file__]");

    expect(error).toBeNull();
    expect(value).toEqual([5, "/workspace/skills.py"]);
  });

  test("is missing where there is no such module", async () => {
    const { error } = await session.run("skills.triple(n=7)\nimport skills");

    expect(error).toMatchObject({ pythonType: "ModuleNotFoundError" });
    expect(error?.message).toContain("No module named 'skills'");
  });
});

describe("a package skills of one's own", () => {
  test("keeps its modules, also those that are called like a skill", async () => {
    await session.workspace.write("skills/__init__.py", bytes(""));
    await session.workspace.write("skills/triple.py", bytes("def run(): return 'mine'"));

    const { value, error } = await session.run(`
import skills.triple as mine
import sys
before = sys.modules["skills.triple"]
again = workflows.triple(n=7)
[mine.run(), again, sys.modules["skills.triple"] is before]`);

    expect(error).toBeNull();
    expect(value).toEqual(["mine", 21, true]);
  });

  test("takes the name in the run that imports it, and the skills have it again in the next", async () => {
    await session.workspace.write("skills.py", bytes("def mine(): return 'mine'"));

    const first = await session.run("import skills\n[skills.mine(), workflows.triple(n=1)]");
    const second = await session.run("[skills.triple(n=2), skills.invoke('triple', n=3)]");
    const findings = await session.check("import skills\nskills.mine()");

    expect(first.error).toBeNull();
    expect(first.value).toEqual(["mine", 3]);
    expect(second.value).toEqual([6, 9]);
    expect(findings).toEqual([]);
  });

  test("is what a skill imports that uses it", async () => {
    await session.run("skills.triple(n=1)");
    await session.workspace.write("skills.py", bytes("def mine(): return 'mine'"));
    await session.skills.create({ name: "uses", source: "from skills import mine\ndef run():\n    return mine()" });

    const { value, error } = await session.run("skills.uses()");

    expect(error).toBeNull();
    expect(value).toBe("mine");
  });
});

describe("a class of a skill", () => {
  test("is shown with the skill's module", async () => {
    const { error } = await session.run("skills.fails()");

    expect(error).toMatchObject({ pythonType: "Odd", message: "so it is" });
    expect(String(error)).toMatch(/^vitrine\.skills\.fails\.Odd: so it is$/m);
  });

  test("is pickled, and its annotations as text are read", async () => {
    const { value, error } = await session.run(`
import pickle
point = skills.point(2)
[repr(point), pickle.loads(pickle.dumps(point)) == point, type(point).__module__]`);

    expect(error).toBeNull();
    expect(value).toEqual(["Point(x=2, y=0.5)", true, "vitrine.skills.point"]);
  });

  test("is pickled where code has a list of imports, which does not name skills", async () => {
    await session.close();
    await open({ trust: "isolated", imports: ["pickle", "dataclasses"] });

    const { value, error } = await session.run("import pickle\npickle.loads(pickle.dumps(skills.point(2))).x");

    expect(error).toBeNull();
    expect(value).toBe(2);
  });
});

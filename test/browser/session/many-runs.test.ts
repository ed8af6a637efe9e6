import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "vitest/browser";
import { z } from "zod";

import { functionTool, type Session } from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";
import { openSession } from "./hosts.js";

/** What Python keeps the sources of, so that functions of old runs are quoted in tracebacks. */
const REMEMBERED_SOURCES = 500;

const nothing = functionTool({ name: "nothing", description: "Does nothing.", input: z.object({}), run: () => null });

let session: Session;

beforeAll(async () => {
  session = await openSession({ trust: "local", timeout: RUN, tools: [nothing] });
});
afterAll(() => session.close());

/** Each another source, as a person's or a model's are. */
async function runMany(count: number, rest = ""): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await session.run(`x = ${String(index)}\nx + 1${rest}`);
  }
}

/** By how many objects of each kind the page has grown, where it is more than come and go. */
async function growthOf(kinds: readonly string[], work: () => Promise<void>): Promise<readonly unknown[]> {
  const before = await commands.countObjects(kinds);
  await work();
  const after = await commands.countObjects(kinds);
  return kinds
    .map((kind) => [kind, (after[kind] ?? NaN) - (before[kind] ?? NaN)])
    .filter(([, count]) => !(Number(count) < 20));
}

async function valueOf(code: string): Promise<unknown> {
  const { value, error } = await session.run(code);
  expect(error).toBeNull();
  return value;
}

describe("a session that runs on and on", () => {
  test("keeps no promise, port, signal or blob of a run on the page once it is over", async () => {
    const kinds = ["Promise", "MessagePort", "AbortSignal", "AbortController", "Blob", "Error"];
    await runMany(50);

    // One for each run would be 200 of them.
    expect(await growthOf(kinds, () => runMany(200))).toEqual([]);
  });

  test("keeps no object, array or map of a run on the page once the journal has let go of it", async () => {
    // With its calls each run is eleven entries of the journal, which keeps 2,000 of them at hand.
    const calls = "\nfor _ in range(10): tools.nothing()";
    await runMany(200, calls);

    expect(await growthOf(["Object", "Array", "Map"], () => runMany(100, calls))).toEqual([]);
  });

  test("keeps as many Python objects after the thousandth run as after the eight hundredth", async () => {
    const census = `import gc
gc.collect()
names = [type(each).__name__ for each in gc.get_objects()]
[[name, names.count(name)] for name in sorted(set(names))]`;
    await valueOf(census);
    await runMany(REMEMBERED_SOURCES + 300);

    const before = await valueOf(census);
    await runMany(200);

    expect(await valueOf(census)).toEqual(before);
  });

  test("quotes the last of its sources in tracebacks, so many and not more, and so long and not longer", async () => {
    const quoted = "import linecache\nsum(1 for name in linecache.cache if name.startswith('<run '))";
    await runMany(REMEMBERED_SOURCES + 1);
    expect(await valueOf(quoted)).toBe(REMEMBERED_SOURCES);

    await runMany(12, ` # ${"x".repeat(400_000)}`);

    // Of 4,000,000 characters together.
    expect(await valueOf(quoted)).toBe(10);
    expect((await session.run("def f():\n    return 1 / 0\nf()")).error?.traceback).toContain("return 1 / 0");
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { memoryStorage, type Session } from "../../../src/index.js";
import { openSession } from "./hosts.js";

/** Code that finds the interpreter's own object, and has its reply say what it likes. */
const FORGES = `
import gc
from types import SimpleNamespace

interpreter = next(found for found in gc.get_objects() if type(found).__name__ == "Interpreter")
interpreter._helpers = SimpleNamespace(
    answer=lambda: SimpleNamespace(value=42, text="42", verified_by=None),
    memory=lambda: {"values": [], "observations": ["I did well."], "failedApproaches": []},
)
`;

/** Code that has the worker name as many changed files beside the one that it writes. */
const namesFiles = (count: number): string => `
from pyodide.code import run_js

run_js("""
  const push = Array.prototype.push;
  Array.prototype.push = function (...items) {
    const [file] = items;
    if (typeof file === "object" && file !== null && "path" in file && "content" in file) {
      const others = Array.from({ length: ${String(count - 1)} }, (_, n) => ({ path: "forged-" + n, content: new Uint8Array(1) }));
      Array.prototype.push = push;
      return push.apply(this, [...items, ...others]);
    }
    return push.apply(this, items);
  };
""")
with open("written.txt", "w") as file:
    file.write("x")
`;

let session: Session;

beforeAll(async () => {
  session = await openSession({ trust: "local" });
});
afterAll(() => session.close());

describe("a reply that code has forged", () => {
  test("gives a run that is no agent's step neither answer nor memory", async () => {
    const { error, finalAnswer, memory } = await session.run(FORGES);

    expect(error).toBeNull();
    expect({ finalAnswer, memory }).toEqual({ finalAnswer: null, memory: null });
  });

  test("says no longer time than passed on the page", async () => {
    const begun = performance.now();

    const { error, elapsed } = await session.run(
      "from pyodide.code import run_js\nrun_js('performance.now = () => 1e308')\nNone",
      // By the same clock the worker would find a deadline long past.
      { timeout: null },
    );

    expect(error).toBeNull();
    expect(elapsed).toBeLessThanOrEqual(performance.now() - begun);
  });

  test("names no more changed files than a reply may, else all of it is refused", async () => {
    const storage = memoryStorage();
    const open = (): Promise<Session> => openSession({ trust: "local", storage });
    const forged = await open();
    // As many as may be are believed.
    expect((await forged.run(namesFiles(3))).error).toBeNull();
    const believed = ["forged-0", "forged-1", "written.txt"];
    expect((await forged.workspace.list()).map(({ path }) => path)).toEqual(believed);

    const { error, value } = await forged.run(`${namesFiles(30_000)}\n42`);

    expect(error).toMatchObject({ code: "PROTOCOL_VIOLATION" });
    expect(value).toBeNull();
    expect(forged.state).toBe("closed");
    const later = await open();
    expect((await later.run("sorted(__import__('os').listdir())")).value).toEqual(believed);
    await later.close();
  });

  test("names no more of them either while a command waits for them: the call fails, and nothing is stored", async () => {
    const text =
      "name: shell\ncommand: bash\nschema:\n  options: { script: { flag: -c, required: true } }\nrecipes: { run: {} }\n";
    const waiting = await openSession({ trust: "local", seeds: [{ file: "tools/shell.yaml", text }] });

    const { error, value } = await waiting.run(`${namesFiles(10_001)}\ntools.shell.run(script="ls")`);

    expect(error?.code).toBe("TOOL_CALL");
    expect(error?.message).toContain("is not a list of at most 10000 changes");
    expect(value).toBeNull();
    expect(await waiting.workspace.list()).toEqual([]);
    await waiting.close();
  });
});

import { afterAll, expect, test } from "vitest";

import { GatheredChecks } from "../../../src/session/runs/gathered-checks.js";
import { SealedPython, type PythonWork } from "../../../src/session/runs/sealed-python.js";
import { sessionParts } from "../../../src/session/session-parts.js";
import { memoryStorage } from "../../../src/storage/index.js";

const parts = sessionParts({ storage: memoryStorage() });
const python = new SealedPython({ storage: memoryStorage() });
afterAll(() => {
  python.close();
  parts.texts.close();
  parts.interpreter.close();
});

interface Gathered {
  readonly checks: GatheredChecks;
  /** How often the interpreter was asked for, and what it came to. */
  uses: number;
  steps: number;
}

/** Once all that was asked for before has had its turn with the interpreter. */
async function settled(): Promise<void> {
  await import("../../../src/session/runs/code-check.js");
  await new Promise((resolve) => setTimeout(resolve));
  await python.use({ wheels: [], work: () => Promise.resolve() });
}

/** Checks with what is done with their interpreter counted, and spoilt where that is wanted. */
function gathered(spoil: (step: number) => boolean = () => false): Gathered {
  const counted = {
    uses: 0,
    steps: 0,
    checks: new GatheredChecks(
      {
        use: <T>({ work, ...rest }: PythonWork<T>): Promise<T> => {
          counted.uses += 1;
          return python.use({
            ...rest,
            work: async (executor) => {
              counted.steps += 1;
              const working = work(executor);
              if (spoil(counted.steps)) executor.stop("a test ended it");
              return working;
            },
          });
        },
      },
      () => parts.services,
    ),
  };
  return counted;
}

/** The names that are not there. */
async function namesMissing(checks: GatheredChecks, code: string, signal?: AbortSignal): Promise<readonly string[]> {
  const about = { filename: "<code>", isModule: true, helpers: "none", scope: undefined, types: undefined } as const;
  const plan = { ...about, code, imports: undefined, signal: new AbortController().signal };
  const { findings } = await checks.check(plan, signal);
  return findings.map(({ message }) => message);
}

test("texts that are asked about at once are looked at in one step, each by itself", async () => {
  const counted = gathered();

  const found = await Promise.all(
    ["first", "second = 1", "def f(:", "fourth"].map((code) => namesMissing(counted.checks, code)),
  );

  expect(found).toEqual([["name 'first' is not defined"], [], ["invalid syntax"], ["name 'fourth' is not defined"]]);
  expect(counted.steps).toBe(1);
});

test("texts that are many or long are looked at in several steps", async () => {
  const counted = gathered();
  const long = `# ${"x".repeat(90_000)}\nlong`;

  const found = await Promise.all(
    [...Array.from({ length: 6 }, (_each, index) => `a${String(index)}`), long, long, long].map((code) =>
      namesMissing(counted.checks, code),
    ),
  );

  expect(found.map(([message = ""]) => message.split("'")[1])).toEqual([
    "a0",
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "long",
    "long",
    "long",
  ]);
  expect(counted.steps).toBe(3);
});

test("a text that is no longer waited for is left out, and the others are not", async () => {
  const { checks } = gathered();
  const stop = new AbortController();
  const stopped = namesMissing(checks, "a", stop.signal);
  const other = namesMissing(checks, "b");

  stop.abort(new Error("stopped"));

  await expect(stopped).rejects.toThrow("stopped");
  expect(await other).toEqual(["name 'b' is not defined"]);
});

test("no interpreter is started for texts that are not waited for by then", async () => {
  const counted = gathered();
  const stop = new AbortController();
  const stopped = ["a", "b"].map((code) => namesMissing(counted.checks, code, stop.signal));

  stop.abort(new Error("stopped"));
  await Promise.allSettled(stopped);
  await settled();

  expect(counted.uses).toBe(0);
  expect(await namesMissing(counted.checks, "c")).toEqual(["name 'c' is not defined"]);
  expect(counted.uses).toBe(1);
});

test("where the interpreter is lost to a step, no text is looked at alone that is not waited for", async () => {
  const stop = new AbortController();
  const counted = gathered((step) => {
    if (step === 1) stop.abort(new Error("stopped"));
    return step === 1;
  });

  const looks = await Promise.allSettled([
    namesMissing(counted.checks, "a", stop.signal),
    namesMissing(counted.checks, "b"),
    namesMissing(counted.checks, "c"),
  ]);
  await settled();

  expect(looks.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  // The one of all, and one for each that is left.
  expect(counted.uses).toBe(3);
});

test("where the interpreter is lost to a step, each of its texts is looked at alone", async () => {
  // The first step, and of the three alone the second one.
  const counted = gathered((step) => step === 1 || step === 3);

  const looks = await Promise.allSettled(["a", "b", "c"].map((code) => namesMissing(counted.checks, code)));

  expect(looks).toEqual([
    { status: "fulfilled", value: ["name 'a' is not defined"] },
    { status: "rejected", reason: expect.objectContaining({ code: "TEXT_INTERPRETER" }) },
    { status: "fulfilled", value: ["name 'c' is not defined"] },
  ]);
});

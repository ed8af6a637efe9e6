import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";

import type { Session } from "../../../src/index.js";
import { untilAnswered } from "../../timeouts.mjs";
import { hosts, openSession } from "./hosts.js";
import { wheel } from "./wheel.js";

async function spareReady(session: Session): Promise<void> {
  await vi.waitFor(() => {
    expect(session.spare).toMatchObject({ state: "ready", problem: null });
  }, untilAnswered);
}

let packagesFolder: string;

beforeAll(async () => {
  packagesFolder = `${inject("embeddingServer")}/files/wheels/`;
  const damaged = await wheel("damaged", "1.0", "x = 1");
  damaged.set([0, 0, 0, 0], 40);
  const files: Record<string, Uint8Array<ArrayBuffer>> = {
    "greeter-1.0-py3-none-any.whl": await wheel("greeter", "1.0", "def greet(): return 'hello 1.0'"),
    "greeter-1.2-py3-none-any.whl": await wheel(
      "greeter",
      "1.2",
      "__version__ = '1.2'\ndef greet(): return 'hello 1.2'",
    ),
    "needs_greeter-2.0-py3-none-any.whl": await wheel(
      "needs_greeter",
      "2.0",
      "import greeter\ntwice = greeter.greet() * 2",
      {
        requires: ["greeter>=1.1"],
      },
    ),
    "old_greeter-1.0-py3-none-any.whl": await wheel("old_greeter", "1.0", "", { requires: ["greeter<1.1"] }),
    "both-1.0-py3-none-any.whl": await wheel("both", "1.0", "", { requires: ["needs-greeter", "old-greeter"] }),
    "needs_missing-1.0-py3-none-any.whl": await wheel("needs_missing", "1.0", "", { requires: ["not-in-the-folder"] }),
    "native-1.0-cp314-cp314-manylinux_2_17_x86_64.whl": await wheel("native", "1.0", "", {
      tag: "cp314-cp314-manylinux_2_17_x86_64",
    }),
    "damaged-1.0-py3-none-any.whl": damaged,
  };
  const index = new TextEncoder().encode(JSON.stringify(Object.keys(files)));
  for (const [name, body] of Object.entries({ ...files, "index.json": index })) {
    await fetch(`${packagesFolder}${name}`, { method: "PUT", body });
  }
});

describe.each(hosts)("deps at the $host host", ({ trust }) => {
  let session: Session;
  afterEach(async () => {
    await session.close();
  });

  test("a pure wheel is installed and imported in one run, the newest that fits, and removed by any spelling (G6, G9)", async () => {
    session = await openSession({ trust, packages: [{ folder: packagesFolder }] });

    const { value, error } = await session.run(
      "deps.add('greeter')\nimport greeter\n[greeter.greet(), greeter.__version__]",
    );

    expect(error).toBeNull();
    expect(value).toEqual(["hello 1.2", "1.2"]);
    expect((await session.run("[deps.list(), repr(deps)]")).value).toEqual([
      ["greeter"],
      "<DepsNamespace: 1 package(s) configured>",
    ]);
    // One entry for each name (G5).
    expect((await session.run("deps.add('Greeter==1.0')\ndeps.list()")).value).toEqual(["greeter==1.0"]);
    expect((await session.run("[deps.remove('greeter'), deps.remove('greeter'), deps.list()]")).value).toEqual([
      true,
      false,
      [],
    ]);
  });

  test("packages given at the start are there at the start (G8)", async () => {
    session = await openSession({ trust, packages: [{ folder: packagesFolder }], deps: ["greeter==1.0"] });

    expect((await session.run("import greeter\n[greeter.greet(), deps.list()]")).value).toEqual([
      "hello 1.0",
      ["greeter==1.0"],
    ]);
  });

  test("a spare holds the packages of its session, later ones too; one that holds others is not taken", async () => {
    const spare = {
      trust,
      packages: [{ folder: packagesFolder }],
      spare: "one",
      pyodideBaseURL: `/node_modules/./${trust}/../pyodide/`,
    } as const;
    session = await openSession({ ...spare, deps: ["greeter==1.0"] });
    await spareReady(session);
    await session.reset();
    const fromSpare = session.capabilities?.boot.spare;
    const inSpare = await session.run("import greeter\ngreeter.greet()");
    await spareReady(session);

    const other = await openSession(spare);
    const inOther = await other.run("import greeter");
    await other.close();
    await spareReady(session);
    await session.run("deps.add('old-greeter')");
    const whenAdded = session.spare.state;
    await spareReady(session);
    await session.reset();
    const afterChange = await session.run("import old_greeter, greeter\ngreeter.greet()");

    expect([fromSpare, inSpare.value]).toEqual([true, "hello 1.0"]);
    expect([other.capabilities?.boot.spare, inOther.error?.pythonType]).toEqual([false, "ModuleNotFoundError"]);
    expect([whenAdded, afterChange.error]).toEqual(["none", null]);
    expect(session.capabilities?.boot.spare).toBe(true);
  });
});

/** What the page decides, and what is the same wherever Python is. */
describe("deps", () => {
  let session: Session;
  afterEach(async () => {
    await session.close();
  });

  test("a package that cannot go with those of the session is refused, with who wants what", async () => {
    session = await openSession({ packages: [{ folder: packagesFolder }], deps: ["greeter==1.0"] });

    const { error } = await session.run("deps.add('needs-greeter')");

    expect(error?.message).toContain("the session wants greeter==1.0, needs-greeter 2.0 wants greeter>=1.1");
    const rest = "import greeter\n[greeter.greet(), deps.list()]";
    expect((await session.run(rest)).value).toEqual(["hello 1.0", ["greeter==1.0"]]);
  });

  test("one that the page configures and that cannot be had is reported, and the others come", async () => {
    const problems: unknown[] = [];
    session = await openSession({
      packages: [{ folder: packagesFolder }],
      deps: ["greeter", "damaged"],
      onProblem: (problem) => problems.push(problem),
    });

    expect(problems).toEqual([expect.objectContaining({ code: "DEP_UNAVAILABLE", spec: "damaged" })]);
    expect((await session.run("import greeter\ngreeter.greet()")).value).toBe("hello 1.2");
  });

  test("what a package needs comes with it, for skills too (G11)", async () => {
    session = await openSession({ packages: [{ folder: packagesFolder }] });
    await session.skills.create({
      name: "twice",
      source: "def run():\n    import needs_greeter\n    return needs_greeter.twice",
    });

    const { value, error } = await session.run("deps.add('needs-greeter')\nskills.twice()");

    expect(error).toBeNull();
    expect(value).toBe("hello 1.2hello 1.2");
  });

  test("a session may not change them when its owner forbids it (G7)", async () => {
    session = await openSession({ packages: [{ folder: packagesFolder }], deps: ["greeter"], allowRuntimeDeps: false });

    expect((await session.run("deps.add('needs-greeter')")).error).toMatchObject({
      pythonType: "RuntimeDepsDisabledError",
    });
    expect((await session.run("deps.remove('greeter')")).error).toMatchObject({
      pythonType: "RuntimeDepsDisabledError",
    });
    expect((await session.run("[deps.list(), sorted(deps.sync().failed)]")).value).toEqual([["greeter"], []]);
  });

  test("without a folder, or with one that cannot be reached, there is no package (G10)", async () => {
    session = await openSession();

    expect((await session.run("deps.add('greeter')")).error).toMatchObject({ pythonType: "DepsError" });
    expect((await session.run("deps.add('greeter')")).error?.message).toContain("Open it with `packages`");

    await session.close();
    session = await openSession({ packages: [{ folder: `${inject("embeddingServer")}/files/none/` }] });
    expect((await session.run("deps.add('greeter')")).error?.message).toContain("answered 404");
  });
});

describe("a package that cannot be had", () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession({ packages: [{ folder: packagesFolder }] });
  });
  afterAll(async () => {
    await session.close();
  });

  test.each([
    ["native", "nothing of it runs here, which takes cp314-cp314-pyemscripten_2026_0_wasm32 or py3-none-any"],
    ["no-such-package", "nothing of that name"],
    ["greeter>=9", "only 1.0, 1.2"],
    ["needs-missing", "needs-missing 1.0 needs not-in-the-folder: the package folder has nothing of that name"],
    [
      "both",
      "needs-greeter 2.0 wants greeter>=1.1, old-greeter 1.0 wants greeter<1.1. The package folder has 1.0, 1.2",
    ],
    ["damaged", "damaged"],
    ["numpy", "numpy comes with the package numpy, which Pyodide's lockfile has as numpy-"],
    ["PIL", "PIL comes with the package pillow, which Pyodide's lockfile has as pillow-"],
    ["tkinter", "tkinter belongs to Python's standard library. No package can add it."],
    ["tabulate", "nothing of that name. Put a wheel for cp314-cp314-pyemscripten_2026_0_wasm32 or py3-none-any there"],
    ["scikit-learn>=1", "sklearn comes with the package scikit_learn, which Pyodide's lockfile has as scikit_learn-"],
  ])("%s is refused, nothing is remembered, and the reason is said", async (spec, reason) => {
    const { error } = await session.run(`deps.add(${JSON.stringify(spec)})`);
    const fromPage: unknown = await session.deps.add(spec).catch((failure: unknown) => failure);

    expect(error).toMatchObject({ pythonType: "DepsError" });
    expect(error?.message).toContain(reason);
    expect(fromPage).toMatchObject({ pythonType: "DepsError", message: error?.message });
    expect((await session.run("deps.list()")).value).toEqual([]);
  });
});

describe("packages that unpack to more than they may", () => {
  let session: Session;
  afterEach(async () => {
    await session.close();
  });

  test.each([
    [{ packagesSize: 200 }, "greeter", /come to \d+ bytes unpacked, and there may be 200 \(`limits\.packagesSize`\)/],
    [{ packagesFiles: 7 }, "needs-greeter", /come to 8 files unpacked, and there may be 7 \(`limits\.packagesFiles`\)/],
  ])("are refused, with what they need, and nothing is written: %j", async (limits, spec, reason) => {
    session = await openSession({ trust: "sandboxed", packages: [{ folder: packagesFolder }], limits });

    const { error } = await session.run(`deps.add(${JSON.stringify(spec)})`);

    expect(error).toMatchObject({ code: "DEPS_FULL", pythonType: "DepsFullError" });
    expect(error?.message).toMatch(reason);
    const rest = "import importlib.metadata as m\n[deps.list(), [d.name for d in m.distributions()]]";
    expect((await session.run(rest)).value).toEqual([[], []]);
  });

  test("leave room for others", async () => {
    session = await openSession({
      trust: "sandboxed",
      packages: [{ folder: packagesFolder }],
      limits: { packagesFiles: 7 },
    });

    await session.run("deps.add('greeter')");
    await session.run("try: deps.add('needs-greeter')\nexcept DepsError: pass");

    expect((await session.run("[deps.list(), deps.sync().failed]")).value).toEqual([["greeter"], new Set()]);
  });
});

describe("an import that fails says whether the package folder has it", () => {
  let session: Session;
  afterEach(async () => {
    await session.close();
  });

  test.each([
    ["greeter", 'The package folder has greeter-1.2-py3-none-any.whl: deps.add("greeter") installs it.'],
    ["native", "cannot install it now: nothing of it runs here"],
    [
      "no_such_package",
      'deps.add("no_such_package") cannot install it now: the package folder has nothing of that name.',
    ],
  ])("import %s", async (module, advice) => {
    session = await openSession({ trust: "sandboxed", packages: [{ folder: packagesFolder }] });

    const { error } = await session.run(`import ${module}`);

    expect(error?.message.split("\n").at(-1)).toContain(advice);
    expect(String(error)).toContain(advice);
  });

  test("but that the packages of the session are fixed, where they are", async () => {
    session = await openSession({
      trust: "sandboxed",
      packages: [{ folder: packagesFolder }],
      allowRuntimeDeps: false,
    });

    expect((await session.run("import greeter")).error?.message).toContain(
      "The package folder has greeter-1.2-py3-none-any.whl, but the packages of this session are fixed",
    );
  });

  test("and nothing of it where no folder would help, or where there is none", async () => {
    session = await openSession({ trust: "sandboxed" });

    expect((await session.run("import greeter")).error?.message).toContain(
      "cannot install it now: this session has no packages. Open it with `packages`",
    );
    expect((await session.run("import numpy")).error?.message).toContain("which Pyodide's lockfile has as numpy-");
    expect((await session.run("import os.nope")).error?.message).not.toContain("package folder");
  });
});

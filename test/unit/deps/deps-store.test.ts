import { describe, expect, test } from "vitest";

import { DepsStore, parseDepSpec } from "../../../src/deps/index.js";
import { encodeJson, encodeText, memoryStorage } from "../../../src/storage/index.js";

test("code may put 200 packages on the list, and change those", async () => {
  const deps = new DepsStore(memoryStorage());
  for (let n = 0; n < 200; n += 1) await deps.add(`p${String(n)}`);

  await expect(deps.add("more")).rejects.toMatchObject({ code: "DEPS_FULL", spec: "more", limit: 200 });
  await deps.add("p0>=2");

  expect(await deps.list()).toHaveLength(200);
});

describe("requirements", () => {
  test.each([
    ["pandas", "pandas"],
    ["pandas>=2.0", "pandas>=2.0"],
    ["numpy==1.26.4", "numpy==1.26.4"],
    ["requests[a,b]>=2", "requests[a,b]>=2"],
    ["p~=1.4", "p~=1.4"],
    ["p!=2", "p!=2"],
    ["p>=1,<2", "p>=1,<2"],
    ["p===1", "p===1"],
    ["p==2.*", "p==2.*"],
    ["p>= 1", "p>=1"],
    ["p >= 1", "p>=1"],
    ["p >=1 , < 2", "p>=1,<2"],
    ["9x", "9x"],
    ["Foo_Bar.Baz", "foo-bar.baz"],
  ])("%j is stored as %j (G3)", (spec, text) => {
    expect(parseDepSpec(spec).text).toBe(text);
  });

  test.each([
    "",
    " ",
    "x @ url",
    "x @ https://example.org/x.whl",
    'x; python_version < "3"',
    "x(1)",
    "x)",
    "x&y",
    "x|y",
    "x$y",
    "x`y`",
    "x\ny",
    "x\n",
    "x\0",
    "p>=1\n",
    "x".repeat(257),
    "-x",
    "_x",
    " x",
    "x ",
    "p>=1 ",
    "https://example.org/x.whl",
    "./x.whl",
    "/x.whl",
    "..",
    "git+https://example.org/x",
    "emfs:/x.whl",
    "p>=",
    "p>=<1",
    "p 1",
    "p[",
    "p[]",
    "x-",
    "--index-url=http://example.org",
  ])("%j is refused and stored nowhere (G4)", async (spec) => {
    const deps = new DepsStore(memoryStorage());

    await expect(deps.add(spec)).rejects.toMatchObject({ code: "DEP_SPEC", name: "DepSpecError" });
    expect(await deps.list()).toEqual([]);
  });
});

describe("DepsStore", () => {
  test("is empty at first and lists in the order of adding (G1)", async () => {
    const deps = new DepsStore(memoryStorage());
    expect(await deps.list()).toEqual([]);

    await deps.add("zebra");
    await deps.add("alpha>=1");

    expect(await deps.list()).toEqual(["zebra", "alpha>=1"]);
  });

  test("keeps one requirement a package (G5)", async () => {
    const deps = new DepsStore(memoryStorage());
    await deps.add("requests>=2");
    await deps.add("other");

    expect(await deps.add("Requests==3")).toBe("requests==3");
    expect(await deps.list()).toEqual(["requests==3", "other"]);
  });

  test("removes by name, with or without a version (G6)", async () => {
    const deps = new DepsStore(memoryStorage());
    await deps.configure(["requests==3", "requests-mock", "My_Package"]);

    expect(await deps.remove("requests")).toBe(true);
    expect(await deps.remove("requests")).toBe(false);
    expect(await deps.remove("my-package>=1")).toBe(true);
    expect(await deps.remove("not a spec @")).toBe(false);
    expect(await deps.list()).toEqual(["requests-mock"]);
  });

  test("refuses changes where the owner has not allowed them, and still lists what was configured (G7, G8)", async () => {
    const deps = new DepsStore(memoryStorage(), { allowRuntime: false });
    await deps.configure(["pandas>=2", "numpy"]);

    const add = deps.add("requests");
    const remove = deps.remove("numpy");

    await expect(add).rejects.toMatchObject({ name: "RuntimeDepsDisabledError", code: "RUNTIME_DEPS_DISABLED" });
    await expect(add).rejects.toThrow("Runtime dependency installation is disabled");
    await expect(remove).rejects.toThrow("Runtime dependency modification is disabled");
    expect(await deps.list()).toEqual(["pandas>=2", "numpy"]);
  });

  test("configuring is all or nothing", async () => {
    const deps = new DepsStore(memoryStorage());

    await expect(deps.configure(["good", "bad @ url"])).rejects.toMatchObject({ spec: "bad @ url" });
    expect(await deps.list()).toEqual([]);
  });

  test("a damaged record, or one that no installer should see, is a problem and not in the list", async () => {
    const storage = memoryStorage();
    const deps = new DepsStore(storage);
    await deps.add("good");
    await storage.write(
      new Map([
        ["deps/bad", encodeText("{")],
        ["deps/evil", encodeJson({ spec: "evil @ https://example.org", order: 1 })],
        ["deps/one", encodeJson({ spec: "another", order: 1 })],
      ]),
    );

    expect(await deps.list()).toEqual(["good"]);
    expect((await deps.problems()).map(({ file }) => file).sort()).toEqual(["deps/bad", "deps/evil", "deps/one"]);
  });

  test("tells its listeners", async () => {
    const deps = new DepsStore(memoryStorage());
    const changes: unknown[] = [];
    deps.onChange((change) => changes.push(change));

    await deps.add("Some_Package>=1");
    await deps.remove("some-package");
    await deps.remove("some-package");

    expect(changes).toEqual([
      { kind: "added", name: "some-package" },
      { kind: "removed", name: "some-package" },
    ]);
  });
});

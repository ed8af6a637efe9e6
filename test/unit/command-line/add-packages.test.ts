import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { startPackageServer, type PackageServer } from "../../servers/package-server.js";
import { namesOf, TrialSite } from "./trial-site.js";

let server: PackageServer;
let site: TrialSite;
beforeAll(async () => {
  server = await startPackageServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  site = await TrialSite.create();
  server.takeRequests();
});
afterEach(() => site.remove());

const ALL_OF_PYDANTIC = ["annotated-types", "pydantic", "pydantic-core", "typing-extensions", "typing-inspection"];
const lockfile = (): string[] => ["--lockfile", `${server.origin}/pyodide/pyodide-lock.json`];
const index = (): string[] => ["--index", `${server.origin}/simple/`];
const wheelsIn = (requests: readonly string[]): string[] =>
  requests.filter((path) => path.endsWith(".whl")).map((path) => path.split("/").at(-1) ?? "");

describe("published wheels come with all that they need", () => {
  test.each([
    { kind: "an address of a lockfile", source: lockfile },
    {
      kind: "a lockfile of this machine, and files elsewhere",
      source: () => ["--lockfile", "pyodide-lock.json", "--files", `${server.origin}/files`],
    },
    { kind: "Pyodide's own lockfile, where nothing is said", source: () => [] },
    {
      kind: "Pyodide's own lockfile, from a mirror",
      source: () => ["--lockfile", "pyodide", "--files", `${server.origin}/folder`],
    },
    { kind: "an index", source: index },
    {
      kind: "an index, for what the lockfile before it has not",
      source: () => ["--lockfile", "few.json", "--files", `${server.origin}/files`, ...index()],
    },
  ])("from $kind", async ({ source }) => {
    const lock = await (await fetch(`${server.origin}/pyodide/pyodide-lock.json`)).text();
    const { packages, ...facts } = JSON.parse(lock) as { packages: Record<string, unknown> };
    await site.write("pyodide-lock.json", lock);
    await site.write("few.json", JSON.stringify({ ...facts, packages: { tzdata: packages.tzdata } }));
    const own = { lockfile: `${server.origin}/pyodide/pyodide-lock.json`, files: `${server.origin}/files/` };

    const { code, out } = await site.runWith(own, "add", "pydantic", ...source());

    expect(code).toBe(0);
    expect(out).toContain("public/packages has 5 packages, 2.1 MB (5 new).");
    expect(out).toContain('packages: [{ folder: "packages/" }]');
    expect(namesOf(await site.inSession("pydantic"))).toEqual(ALL_OF_PYDANTIC);
    const files = (await site.index()).map(({ file }) => file);
    expect(await site.names()).toEqual([...files, "LICENSES.md", "index.json"].sort());
    expect((await site.run("check")).out).toBe("public/packages: 5 packages, no problems.\n");
  });

  test("and a page can say beforehand how large they are", async () => {
    await site.run("add", "pydantic-core", ...lockfile());

    expect(await site.entry(/^pydantic_core-/)).toMatchObject({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      size: 1_496_394,
      asked: "pydantic-core",
    });
    expect(await site.entry(/^typing_extensions-/)).toMatchObject({ asked: false });
  });

  test("with what the lockfile says of needs and modules, or with the modules that the wheel has", async () => {
    await site.run("add", "pydantic-core", ...lockfile());
    await site.run("add", "attrs", ...index());

    expect(await site.entry(/^pydantic_core-/)).toMatchObject({
      needs: ["typing-extensions"],
      imports: ["pydantic_core"],
    });
    const attrs = await site.entry(/^attrs-/);
    expect(attrs?.imports).toEqual(["attr", "attrs"]);
    expect(attrs?.needs).toBeUndefined();
  });

  test("with a notice of their licences, and where in the files the texts are", async () => {
    await site.run("add", "packaging", "xxhash", ...index());

    const notice = await site.read("public/packages/LICENSES.md");
    expect(notice).toMatch(
      /\| packaging \| 26\.4 \| Apache-2\.0 OR BSD-2-Clause \| packaging-26\.4\.dist-info\/licenses\/LICENSE, .+\| packaging-26\.4-py3-none-any\.whl \| [0-9a-f]{64} \|/,
    );
    expect(notice).toMatch(/\| xxhash \| 4\.1\.0 \| BSD-2-Clause \| xxhash-4\.1\.0\.dist-info\/licenses\/LICENSE \|/);
  });
});

describe("what is there is not fetched again", () => {
  test("nor is anything asked, where the folder has all of it", async () => {
    await site.run("add", "pydantic", ...index());
    const before = await site.read("public/packages/index.json");
    server.takeRequests();

    const { code, out } = await site.run("add", "pydantic", ...index());

    expect(code).toBe(0);
    expect(out).toContain("(0 new)");
    expect(server.takeRequests()).toEqual([]);
    expect(await site.read("public/packages/index.json")).toBe(before);
  });

  test("when more is added, from another source", async () => {
    await site.run("add", "pydantic-core", ...lockfile());
    server.takeRequests();

    await site.run("add", "pydantic", ...index());

    expect(wheelsIn(server.takeRequests()).sort()).toEqual([
      "annotated_types-0.8.0-py3-none-any.whl",
      "pydantic-2.14.4-py3-none-any.whl",
      "typing_inspection-0.4.5-py3-none-any.whl",
    ]);
    expect((await site.index()).filter(({ asked }) => asked !== false).map(({ asked }) => asked)).toEqual([
      "pydantic",
      "pydantic-core",
    ]);
  });

  test.each([
    { kind: "damaged", harm: (file: string) => site.write(`public/packages/${file}`, "PK, and nothing more") },
    { kind: "missing", harm: (file: string) => site.delete(`public/packages/${file}`) },
  ])("but a file that is $kind is", async ({ harm }) => {
    await site.run("add", "pydantic-core", ...lockfile());
    const { file = "" } = (await site.entry(/^typing_extensions-/)) ?? {};
    const before = await site.names();
    await harm(file);
    server.takeRequests();

    expect((await site.run("add", "pydantic-core", ...lockfile())).code).toBe(0);

    expect(wheelsIn(server.takeRequests()).every((name) => name === file)).toBe(true);
    expect(await site.names()).toEqual(before);
    expect((await site.run("check")).code).toBe(0);
  });

  test("nor is a wheel that lies there and is not listed", async () => {
    await site.run("add", "xxhash", ...lockfile());
    await site.write("public/packages/index.json", "[]");
    server.takeRequests();

    await site.run("add", "xxhash", ...lockfile());

    expect(wheelsIn(server.takeRequests())).toEqual([]);
    expect(namesOf(await site.inSession("xxhash"))).toEqual(["xxhash"]);
  });
});

describe("a list that the site's author wrote", () => {
  const BY_HAND = '["attrs-26.1.0-py3-none-any.whl"]';

  async function listByHand(): Promise<void> {
    const wheel = await fetch(`${server.origin}/files/attrs-26.1.0-py3-none-any.whl`);
    await site.write("public/packages/attrs-26.1.0-py3-none-any.whl", new Uint8Array(await wheel.arrayBuffer()));
    await site.write("public/packages/index.json", BY_HAND);
    server.takeRequests();
  }

  test("is read, and its entries are kept as they are", async () => {
    await listByHand();

    await site.run("add", "xxhash", "attrs", ...lockfile());

    expect(JSON.parse(await site.read("public/packages/index.json"))).toEqual([
      "attrs-26.1.0-py3-none-any.whl",
      expect.objectContaining({ file: "xxhash-4.1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl", asked: "xxhash" }),
    ]);
    expect(wheelsIn(server.takeRequests())).toEqual(["xxhash-4.1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"]);
    expect(namesOf(await site.inSession("attrs", "xxhash"))).toEqual(["attrs", "xxhash"]);
  });

  test("is not written over where it is something else", async () => {
    await site.write("public/packages/index.json", '{ "files": 1 }');

    const { code, err } = await site.run("add", "xxhash", ...lockfile());

    expect(code).toBe(1);
    expect(err).toContain("index.json is not a list of file names");
    expect(await site.names()).toEqual(["index.json"]);
  });

  test("has its own notice of licences left alone", async () => {
    await site.write("public/packages/LICENSES.md", "# Ours\n");

    const { code, err } = await site.run("add", "xxhash", ...lockfile());

    expect(code).toBe(1);
    expect(err).toContain("was not written by this command");
    expect(await site.read("public/packages/LICENSES.md")).toBe("# Ours\n");
  });
});

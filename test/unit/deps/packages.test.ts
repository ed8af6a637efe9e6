import { createHash } from "node:crypto";

import { strToU8, zipSync } from "fflate";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { PackageSourceOptions } from "../../../src/deps/packages-options.js";
import type { PackageContent } from "../../../src/deps/package-content.js";
import { Packages } from "../../../src/deps/packages.js";
import { PLATFORM } from "../../../src/deps/interpreter.js";
import { packageCache } from "../../../src/deps/sources/index.js";
import { startLocalServer, type LocalServer } from "../../servers/local-server.js";
import { startPackageServer, type PackageServer } from "../../servers/package-server.js";

let server: PackageServer;
beforeAll(async () => {
  server = await startPackageServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await packageCache().clear();
  server.takeRequests();
});

function open(...sources: PackageSourceOptions[]): Packages {
  return packagesOf(sources);
}

function packagesOf(
  sources: readonly PackageSourceOptions[],
  allows: (address: URL) => boolean = () => true,
): Packages {
  return new Packages({
    sources,
    allows,
    ownLockfile: () => `${server.origin}/pyodide/pyodide-lock.json`,
    ownFiles: `${server.origin}/files/`,
  });
}

function names(contents: readonly PackageContent[]): string[] {
  return contents.map(({ name }) => name).sort();
}

const ALL_OF_PYDANTIC = ["annotated-types", "pydantic", "pydantic-core", "typing-extensions", "typing-inspection"];

describe("published wheels come with all that they need", () => {
  test.each([
    { kind: "a folder", source: () => ({ folder: `${server.origin}/folder` }) },
    { kind: "a lockfile", source: () => ({ lockfile: `${server.origin}/pyodide/pyodide-lock.json` }) },
    { kind: "Pyodide's own lockfile", source: () => ({ lockfile: "pyodide" }) },
    {
      kind: "Pyodide's own lockfile, from a mirror",
      source: () => ({ lockfile: "pyodide", files: `${server.origin}/folder/` }),
    },
    { kind: "an index", source: () => ({ index: `${server.origin}/simple/` }) },
  ])("from $kind", async ({ source }) => {
    const packages = open(source());

    const contents = await packages.fetch("pydantic", [], { installed: [] });

    expect(names(contents)).toEqual(ALL_OF_PYDANTIC);
    const core = contents.find(({ name }) => name === "pydantic-core");
    expect(core?.filename).toContain(PLATFORM);
    expect(core?.sha256).toBe(
      createHash("sha256")
        .update(core?.bytes ?? "")
        .digest("hex"),
    );
    expect(contents.find(({ name }) => name === "pydantic")?.needs).toContain("pydantic-core");
  });

  test("and only once: a second session asks for the lists alone", async () => {
    const source = { lockfile: "pyodide" };
    await open(source).fetch("pydantic", [], { installed: [] });
    server.takeRequests();

    await open(source).fetch("pydantic", [], { installed: [] });

    expect(server.takeRequests()).toEqual(["/pyodide/pyodide-lock.json"]);
  });

  test("with bytes that have come", async () => {
    const heard: { readonly received: number; readonly total: number | undefined }[] = [];

    const contents = await open({ lockfile: "pyodide" }).fetch("pydantic", [], {
      installed: [],
      onProgress: (received, total) => heard.push({ received, total }),
    });

    const size = contents.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(heard.at(-1)).toEqual({ received: size, total: size });
  });

  test("or it is said beforehand what they are, with their sizes", async () => {
    const plan = await open({ lockfile: "pyodide" }).plan("pydantic", []);

    expect(plan.map(({ name }) => name).sort()).toEqual(ALL_OF_PYDANTIC);
    expect(plan.find(({ name }) => name === "pydantic-core")).toMatchObject({
      size: 1_496_394,
      address: expect.stringMatching(/\/files\/pydantic_core-/) as string,
    });
    expect(server.takeRequests().filter((path) => !path.startsWith("HEAD "))).toEqual(["/pyodide/pyodide-lock.json"]);
  });

  test("by the name of a module, where a source knows it", async () => {
    expect(await open({ folder: `${server.origin}/folder` }, { lockfile: "pyodide" }).packageOf("pydantic_core")).toBe(
      "pydantic-core",
    );
    expect(await open({ lockfile: "pyodide" }).packageOf("numpy")).toBeUndefined();
  });
});

describe("without the network", () => {
  test("what was fetched before is there", async () => {
    const own = await startPackageServer();
    const sources = [{ index: `${own.origin}/simple/` }];
    await packagesOf(sources).fetch("pydantic", [], { installed: [] });
    await own.close();

    expect(names(await packagesOf(sources).fetch("pydantic", [], { installed: [] }))).toEqual(ALL_OF_PYDANTIC);
    await expect(packagesOf(sources).fetch("msgpack", [], { installed: [] })).rejects.toMatchObject({
      code: "DEP_UNAVAILABLE",
      why: "unreachable",
    });
  });

  test("a file that is kept and was changed is not taken", async () => {
    await open({ lockfile: "pyodide" }).fetch("xxhash", [], { installed: [] });
    const [kept] = await packageCache().list();
    await packageCache().keep({
      filename: "xxhash",
      address: "",
      sha256: kept?.sha256 ?? "",
      bytes: new Uint8Array([1, 2, 3]),
    });
    server.takeRequests();

    const [content] = await open({ lockfile: "pyodide" }).fetch("xxhash", [], { installed: [] });

    expect(content?.bytes.length).toBe(20_869);
    expect(server.takeRequests()).toHaveLength(2);
  });
});

describe("a refusal says why", () => {
  let own: LocalServer | undefined;
  afterEach(async () => {
    await own?.close();
    own = undefined;
  });

  /** Serves JSON by path, and wheels that hold nothing but their METADATA. */
  async function serve(documents: Readonly<Record<string, unknown>>): Promise<string> {
    const wheel = Buffer.from(zipSync({ "x-1.dist-info/METADATA": strToU8("Metadata-Version: 2.4\nName: x\n\n") }));
    own = await startLocalServer((request, response) => {
      const document = documents[request.url ?? ""];
      if (document !== undefined) response.end(JSON.stringify(document));
      else if (request.url?.endsWith(".whl") === true) response.end(wheel);
      else response.writeHead(404).end();
    });
    return own.origin;
  }

  const refusalOf = async (sources: readonly PackageSourceOptions[], spec: string): Promise<unknown> =>
    packagesOf(sources)
      .fetch(spec, [], { installed: [] })
      .catch((error: unknown) => error);

  test("a file with another hash: nothing of it is kept", async () => {
    const origin = await serve({ "/index.json": [{ file: "x-1-py3-none-any.whl", sha256: "0".repeat(64) }] });

    expect(await refusalOf([{ folder: origin }], "x")).toMatchObject({
      why: "hash",
      message: expect.stringContaining(`and it should be ${"0".repeat(64)}`) as string,
    });
    expect(await packageCache().list()).toEqual([]);
  });

  test("no source has it, and which were asked", async () => {
    const sources = [{ folder: `${server.origin}/folder` }, { index: `${server.origin}/simple/` }];

    expect(await refusalOf(sources, "left-pad")).toMatchObject({
      why: "not_found",
      reason: `no source has a package of that name. Asked were the package folder (${server.origin}/folder/), the index (${server.origin}/simple/).`,
    });
    expect(await refusalOf([], "left-pad")).toMatchObject({ why: "not_found" });
  });

  test("a source, a file for another interpreter, and one for a later Python", async () => {
    const file = (filename: string, more: object = {}): object => ({ filename, url: filename, hashes: {}, ...more });
    const origin = await serve({
      "/simple/source/": { files: [file("source-1.0.tar.gz")] },
      "/simple/other/": { files: [file("other-1.0-cp313-cp313-win32.whl")] },
      "/simple/later/": { files: [file("later-1.0-py3-none-any.whl", { "requires-python": ">=3.15" })] },
    });
    const sources = [{ index: `${origin}/simple` }];

    expect(await refusalOf(sources, "source")).toMatchObject({
      why: "no_wheel",
      reason: "the index has it only as source, which would have to be compiled first: source-1.0.tar.gz.",
    });
    expect(await refusalOf(sources, "other")).toMatchObject({
      why: "no_wheel",
      reason: expect.stringContaining("other-1.0-cp313-cp313-win32.whl") as string,
    });
    expect(await refusalOf(sources, "later")).toMatchObject({
      why: "no_wheel",
      reason: expect.stringContaining("it is for Python >=3.15") as string,
    });
  });

  test("a host that is not allowed: by the source, or by the session", async () => {
    const origin = await serve({
      "/simple/away/": {
        files: [{ filename: "away-1-py3-none-any.whl", url: "https://files.example/away.whl", hashes: {} }],
      },
    });

    expect(await refusalOf([{ index: `${origin}/simple` }], "away")).toMatchObject({
      why: "no_wheel",
      reason: expect.stringContaining("files.example is not among the `hosts` of the index") as string,
    });
    const strict = packagesOf([{ index: `${server.origin}/simple` }], ({ hostname }) => hostname === "files.example");
    await expect(strict.fetch("xxhash", [], { installed: [] })).rejects.toMatchObject({
      why: "host",
      reason: expect.stringContaining("is not among the `allowedHosts` of the session") as string,
    });
    expect(server.takeRequests()).toEqual([]);
  });

  test("a lockfile of another Pyodide, and what is no list at all", async () => {
    const origin = await serve({
      "/old.json": { info: { abi_version: "2025_0", arch: "wasm32" }, packages: {} },
      "/index.json": { files: 1 },
      "/simple/x/": [],
    });

    expect(await refusalOf([{ lockfile: `${origin}/old.json` }], "x")).toMatchObject({
      why: "source",
      reason: `${origin}/old.json is of Pyodide for pyemscripten_2025_0_wasm32, and the one that runs here is for ${PLATFORM}.`,
    });
    expect(await refusalOf([{ folder: origin }], "x")).toMatchObject({ why: "source" });
    expect(await refusalOf([{ index: `${origin}/simple` }], "x")).toMatchObject({ why: "source" });
  });
});

describe("a lock", () => {
  test("has the same files come again, and no others", async () => {
    const source = { folder: `${server.origin}/folder` };
    const contents = await open(source).fetch("pydantic-core", [], { installed: [] });
    const lock = {
      version: 1 as const,
      platform: PLATFORM,
      packages: contents.map(({ name, version, filename, sha256, bytes }) => {
        return { name, version, file: filename, sha256, size: bytes.length };
      }),
    };

    const pinned = open({ ...source, lock });
    expect(names(await pinned.fetch("pydantic-core", [], { installed: [] }))).toEqual([
      "pydantic-core",
      "typing-extensions",
    ]);
    await expect(pinned.fetch("xxhash", [], { installed: [] })).rejects.toMatchObject({ why: "not_found" });

    const [first, ...others] = lock.packages;
    if (first === undefined) throw new TypeError("There are two files.");
    const changed = { ...lock, packages: [{ ...first, sha256: "f".repeat(64) }, ...others] };
    await expect(
      open({ ...source, lock: changed }).fetch("pydantic-core", [], { installed: [] }),
    ).rejects.toMatchObject({ why: "hash" });
  });
});

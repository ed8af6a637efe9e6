import { zipSync, unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";

import type { ApprovalRequest, Session, SessionOptions } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

/** Serves the wheels of test/wheels as a folder, as a lockfile, and as an index. */
const server = inject("packageServer");
const lockfile = { lockfile: `${server}/pyodide/pyodide-lock.json` };
const index = { index: `${server}/simple/` };
const folder = { folder: `${server}/folder/` };

let session: Session | undefined;
beforeEach(async () => {
  await caches.delete("vitrine-packages");
  await requests();
});
afterEach(async () => {
  await session?.deps.cache.clear();
  await session?.close();
  session = undefined;
});

async function requests(): Promise<readonly string[]> {
  return (await (await fetch(`${server}/requests`)).json()) as string[];
}

async function open(options: Partial<SessionOptions>): Promise<Session> {
  session = await openSession(options);
  return session;
}

async function valueOf(...lines: string[]): Promise<unknown> {
  const result = await session?.run(lines.join("\n"));
  expect(result?.error).toBeNull();
  return result?.value;
}

const VALIDATE = [
  "import pydantic",
  "class City(pydantic.BaseModel):",
  "    people: int",
  "City(people='709037').people",
] as const;

describe.each(hosts)("packages at the $host host", ({ trust }) => {
  test.each([
    ["a lockfile", lockfile],
    ["an index", index],
    ["a folder with hashes", folder],
  ])("come from %s with all that they need, compiled ones too", async (_what, source) => {
    await open({ trust, packages: [source], deps: ["pydantic"] });

    expect(await valueOf(...VALIDATE)).toBe(709037);
    expect(await valueOf("deps.list()")).toEqual(["pydantic"]);
  });
});

test("code asks for them with pip, with micropip and with deps.add, and one resolution answers", async () => {
  await open({ packages: [lockfile] });

  expect(await valueOf("%pip install xxhash", "import xxhash", "xxhash.xxh64(b'').hexdigest()")).toBe(
    "ef46db3751d8e999",
  );
  expect(
    await valueOf("import micropip", "await micropip.install(['msgpack', 'attrs'])", "import msgpack, attrs", "1"),
  ).toBe(1);
  expect(await valueOf("sorted(name for name in micropip.list() if name in {'attrs', 'msgpack'})")).toEqual([
    "attrs",
    "msgpack",
  ]);
  expect(await valueOf("deps.add('tzdata')", "deps.list()")).toEqual(["xxhash", "msgpack", "attrs", "tzdata"]);

  const refused = await session?.run("await micropip.install('left-pad')");
  expect(refused?.error).toMatchObject({ pythonType: "ValueError" });
  expect(refused?.error?.message).toContain("Pyodide's lockfile has nothing of that name");
  const elsewhere = await session?.run("await micropip.install('attrs', index_urls='https://pypi.example/simple')");
  expect(elsewhere?.error?.message).toContain("the page names them in `packages`");
});

describe("a lock", () => {
  test("has another session get the same files, from another source", async () => {
    await open({ packages: [lockfile], deps: ["pydantic"] });
    const lock = session?.deps.lock();
    expect(lock?.packages.map(({ name }) => name).sort()).toEqual([
      "annotated-types",
      "pydantic",
      "pydantic-core",
      "typing-extensions",
      "typing-inspection",
    ]);
    await session?.close();
    if (lock === undefined) throw new TypeError("There is a lock.");

    await open({ packages: [{ ...folder, lock }], deps: ["pydantic"] });

    expect(await valueOf(...VALIDATE)).toBe(709037);
    expect(session?.deps.lock()).toEqual(lock);
    expect((await session?.run("deps.add('xxhash')"))?.error?.message).toContain("Only what the lock names is taken");
  });

  test("that names another file has nothing installed", async () => {
    await open({ packages: [lockfile], deps: ["xxhash"] });
    const lock = session?.deps.lock();
    await session?.close();
    const packages = (lock?.packages ?? []).map((file) => ({ ...file, sha256: "0".repeat(64) }));
    await open({ packages: [{ ...folder, lock: { version: 1, platform: lock?.platform ?? "", packages } }] });

    const { error } = (await session?.run("deps.add('xxhash')")) ?? {};

    expect(error).toMatchObject({ code: "DEP_UNAVAILABLE" });
    expect(error?.message).toContain(`and it should be ${"0".repeat(64)}`);
    expect(await valueOf("deps.list()")).toEqual([]);
  });
});

describe("fetched files", () => {
  test("are kept: a second session fetches the list alone, and they can be listed and forgotten", async () => {
    await open({ packages: [lockfile], deps: ["xxhash"] });
    await session?.close();
    await requests();

    await open({ packages: [lockfile], deps: ["xxhash"] });

    expect(await requests()).toEqual(["/pyodide/pyodide-lock.json"]);
    const cache = session?.deps.cache;
    expect(cache?.persistent).toBe(true);
    expect(await cache?.list()).toEqual([
      expect.objectContaining({ filename: expect.stringMatching(/^xxhash-/) as string, size: 20_869 }),
    ]);
    await cache?.clear();
    expect(await cache?.list()).toEqual([]);
  });

  test("report how far they have come, as the call that waits for them", async () => {
    await open({ packages: [lockfile] });
    const heard: { readonly name: string; readonly progress: number; readonly message: string | undefined }[] = [];
    session?.onCallProgress(({ name, progress, message }) => heard.push({ name, progress, message }));

    await valueOf("deps.add('pydantic')", "1");

    expect(heard.at(-1)).toMatchObject({ name: "add", message: expect.stringMatching(/^Fetching .*\.whl$/) as string });
    expect(heard.at(-1)?.progress).toBeGreaterThan(1_400_000);
  });
});

describe("what code imports and is not there", () => {
  const asked: ApprovalRequest[] = [];
  const agree = (decision: "allow" | "deny"): Partial<SessionOptions> => ({
    packages: [lockfile],
    onApproval: (request) => {
      asked.push(request);
      return { decision };
    },
  });
  beforeEach(() => {
    asked.length = 0;
  });

  test("is installed before the code runs, once a person has agreed to what it comes to", async () => {
    await open(agree("allow"));

    expect(await valueOf("before = 1", ...VALIDATE)).toBe(709037);
    expect(asked).toEqual([expect.objectContaining({ name: "deps.provide", foreign: null })]);
    expect(asked[0]?.reason).toMatch(
      /^The code imports pydantic, which is not installed: 5 files of 2\.1 MB would be fetched\.$/,
    );
    expect(asked[0]?.arguments.packages).toContainEqual(
      expect.stringMatching(
        /^pydantic-core 2\.50\.5, 1\.5 MB, from http:\/\/127\.0\.0\.1:\d+\/pyodide\/pydantic_core-/,
      ),
    );
    expect(await valueOf("deps.list()")).toEqual(["pydantic"]);
    await session?.reset();
    expect(await valueOf(...VALIDATE)).toBe(709037);
    expect(asked).toHaveLength(1);
    await session?.close();

    await open(agree("allow"));
    expect(await valueOf(...VALIDATE)).toBe(709037);
    expect(asked[1]?.reason).toMatch(/not installed: 5 files, kept on this device, would be installed\.$/);
  });

  test("is not, where they say no, and the code hears of it", async () => {
    await open(agree("deny"));

    const result = await session?.run("print('first')\nimport xxhash");

    expect(result?.error).toMatchObject({ pythonType: "ModuleNotFoundError" });
    expect(result?.stderr).toBe("xxhash was not installed: the person who was asked said no\n");
    expect(result?.stdout).toBe("first\n");
    expect(await requests()).not.toContainEqual(expect.stringMatching(/^\/pyodide\/xxhash/));
  });

  test("is installed unasked where the session allows it, and never where it does not", async () => {
    await open({ packages: [lockfile], autoInstall: "allow" });
    expect(await valueOf("import xxhash", "xxhash.xxh64(b'').hexdigest()")).toBe("ef46db3751d8e999");
    await session?.close();

    for (const options of [{ autoInstall: "never" as const }, {}, { allowRuntimeDeps: false }]) {
      await open({ packages: [lockfile], ...options });
      const { error } = (await session?.run("import xxhash")) ?? {};
      expect(error).toMatchObject({ pythonType: "ModuleNotFoundError" });
      expect(error?.message).toContain("Pyodide's lockfile has xxhash-");
      await session?.close();
    }
  });

  test("is left alone where the code can do without, and where no source has it", async () => {
    await open(agree("allow"));

    expect(
      await valueOf(
        "try:",
        "    import xxhash",
        "except ImportError:",
        "    xxhash = None",
        "from typing import TYPE_CHECKING",
        "if TYPE_CHECKING:",
        "    import msgpack",
        "xxhash is None",
      ),
    ).toBe(true);
    const { error } = (await session?.run("import left_pad")) ?? {};
    expect(error?.message).toContain("no package in Pyodide's lockfile provides it");
    expect(asked).toEqual([]);
  });

  test("is no mistake for a check", async () => {
    await open(agree("allow"));
    expect((await session?.check("import xxhash\nimport left_pad"))?.map(({ message }) => message)).toEqual([
      "No module named 'left_pad'",
    ]);
    expect((await session?.run("import xxhash\n1", { check: true }))?.value).toBe(1);
  });
});

describe("shared libraries", () => {
  const base = `${inject("embeddingServer")}/files/shared-libraries/`;

  test("of a lockfile lie where compiled code looks for them", async () => {
    // Real compiled code under a name of ours: none of Pyodide's own libraries can be had here.
    const wheel = await fetch(`${server}/files/xxhash-4.1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl`);
    const files = unzipSync(new Uint8Array(await wheel.arrayBuffer()));
    const [library] = Object.entries(files).flatMap(([path, bytes]) => (path.endsWith(".so") ? [bytes] : []));
    const archive = new Uint8Array(zipSync({ "libprobe.so": library ?? new Uint8Array() }));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", archive));
    const shipped = (await (await fetch(lockfile.lockfile)).json()) as { info: unknown };
    const entry = {
      name: "libprobe",
      version: "1.0",
      file_name: "libprobe-1.0.zip",
      install_dir: "dynlib",
      package_type: "shared_library",
      sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""),
      depends: [],
      imports: [],
    };
    await fetch(`${base}libprobe-1.0.zip`, { method: "PUT", body: archive });
    await fetch(`${base}lock.json`, {
      method: "PUT",
      body: JSON.stringify({ info: shipped.info, packages: { libprobe: entry } }),
    });
    await open({ packages: [{ lockfile: `${base}lock.json` }], deps: ["libprobe"] });

    expect(await valueOf("import ctypes", "hasattr(ctypes.CDLL('libprobe.so'), 'PyInit__xxhash')")).toBe(true);
  });
});

describe("options", () => {
  test.each([
    [[{ folders: "wheels/" }], /packages\[0\] of Session\.open names no source/],
    [[folder, { lockfile: 1 }], /`lockfile` must be a string, not a number/],
    [[{ ...folder, lock: { version: 2 } }], /`lock` of packages\[0\] of Session\.open is not what/],
    [[{ ...index, host: [] }], /no option `host`\. Did you mean `hosts`\?/],
  ])("%j are refused with what is wrong", async (packages, message) => {
    // As a caller without types would.
    await expect(openSession({ packages: packages as never })).rejects.toThrow(message);
  });

  test("the older name of a folder goes on, and both together are refused", async () => {
    const old = { packagesURL: folder.folder };
    await open({ ...old, deps: ["xxhash"] });
    expect(await valueOf("deps.list()")).toEqual(["xxhash"]);
    await expect(openSession({ packages: [folder], ...old })).rejects.toThrow(
      "`packagesURL` is a folder among `packages`: pass `packages` alone.",
    );
    await expect(openSession({ deps: ["xxhash"], packages: [] })).rejects.toThrow("has no packages to take it from");
  });
});

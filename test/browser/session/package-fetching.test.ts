import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";

import { pageHost, type Session, type SessionOptions, type WorkerHost } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

/** Serves the wheels of test/wheels as a lockfile. */
const server = inject("packageServer");
const lockfile = { lockfile: `${server}/pyodide/pyodide-lock.json` };
/** Takes files. */
const shelf = `${inject("embeddingServer")}/files/package-fetching/`;

const HASH = "import xxhash\nxxhash.xxh64(b'').hexdigest()";
const HASHED = "ef46db3751d8e999";

let session: Session | undefined;
beforeEach(async () => {
  // It belongs to the site, and other tests have filled it.
  await caches.delete("vitrine-packages");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await session?.deps.cache.clear();
  await session?.close();
  session = undefined;
});

async function open(options: Partial<SessionOptions>): Promise<Session> {
  session = await openSession(options);
  return session;
}

async function valueOf(...lines: string[]): Promise<unknown> {
  const result = await session?.run(lines.join("\n"));
  expect(result?.error).toBeNull();
  return result?.value;
}

/** Has `answer` see each request; the browser answers those that it leaves alone. @returns resolves with the first that it takes. */
function intercept(answer: (address: string, request: RequestInit) => Promise<Response> | undefined): Promise<void> {
  const browser = globalThis.fetch;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  vi.spyOn(globalThis, "fetch").mockImplementation((address, request = {}) => {
    const answered = typeof address === "string" ? answer(address, request) : undefined;
    if (answered !== undefined) resolve(undefined);
    return answered ?? browser(address, request);
  });
  return promise;
}

test("packages that the page configures are fetched while Python starts", async () => {
  const browser = globalThis.fetch;
  const fetched = intercept((address, request) =>
    address.includes("/xxhash-") ? browser(address, request) : undefined,
  );
  const host = pageHost();
  // Without a worker before the file is asked for, a session that asks only then would wait for good.
  const late: WorkerHost = {
    kind: host.kind,
    spawn: async (source) => {
      await fetched;
      return await host.spawn(source);
    },
  };

  await open({ trust: "local", host: late, packages: [lockfile], deps: ["xxhash"] });

  expect(await valueOf(HASH)).toBe(HASHED);
  expect(
    vi.mocked(fetch).mock.calls.filter(([address]) => typeof address === "string" && address.includes("/xxhash-")),
  ).toHaveLength(1);
  await session?.reset();
  expect(await valueOf(HASH)).toBe(HASHED);
});

test("of several packages one whose file does not come is left out, and comes with a later sync", async () => {
  const { info, packages } = (await (await fetch(lockfile.lockfile)).json()) as {
    readonly info: unknown;
    readonly packages: Readonly<Record<string, { readonly file_name: string }>>;
  };
  const [there, missing] = [packages.xxhash, packages.msgpack];
  if (there === undefined || missing === undefined) throw new TypeError("The lockfile has both.");
  const copy = async ({ file_name: file }: { readonly file_name: string }): Promise<void> => {
    const wheel = await (await fetch(`${server}/files/${file}`)).arrayBuffer();
    await fetch(shelf + file, { method: "PUT", body: wheel });
  };
  await copy(there);
  const body = JSON.stringify({ info, packages: { xxhash: there, msgpack: missing } });
  await fetch(`${shelf}lock.json`, { method: "PUT", body });

  await open({ packages: [{ lockfile: `${shelf}lock.json` }], deps: ["msgpack", "xxhash"] });

  expect(await valueOf(HASH)).toBe(HASHED);
  expect(await valueOf("deps.sync().reasons['msgpack']")).toContain("answered 404");
  expect((await session?.run("import msgpack"))?.error).toMatchObject({ pythonType: "ModuleNotFoundError" });
  await copy(missing);
  expect(await valueOf("sorted(deps.sync().installed)")).toEqual(["msgpack"]);
  await session?.reset();
  expect(await valueOf("import msgpack, xxhash", "msgpack.unpackb(msgpack.packb(7))")).toBe(7);
});

/** Has Python say what it reads. */
const SAY_WHAT_IS_READ = `
import vitrine._wheels as wheels
read_quietly = wheels.read_package
def read_package(filename, content, **options):
    package = read_quietly(filename, content, **options)
    print(f"read {filename.partition('-')[0]}.")
    return package
wheels.read_package = read_package
1`;

/** Holds one file back until it is let go of, or nobody waits for it. */
function holdBack(file: string): { readonly asked: Promise<void>; readonly letGo: () => void } {
  const browser = globalThis.fetch;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const asked = intercept((address, request) => {
    if (!address.includes(file)) return undefined;
    const { signal } = request;
    const stopped = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => {
        reject(new DOMException("It was stopped.", "AbortError"));
      });
    });
    return Promise.race([promise, stopped]).then(() => browser(address, request));
  });
  return {
    asked,
    letGo: () => {
      resolve(undefined);
    },
  };
}

/** What pydantic comes with, but for its compiled part, and pydantic itself. */
const OTHERS = ["annotated_types", "pydantic", "typing_extensions", "typing_inspection"];

test.each(hosts)("files are unpacked while the last one is on its way, at the $host host", async ({ trust }) => {
  await open({ trust, packages: [lockfile] });
  await valueOf(SAY_WHAT_IS_READ);
  const { letGo } = holdBack("/pydantic_core-");
  let said = "";
  const read = (): readonly string[] => said.match(/(?<=read )\w+(?=\.)/g) ?? [];

  // A session that waited for all files first would wait for good.
  const result = await session?.run(
    "deps.add('pydantic')\nimport pydantic\npydantic.TypeAdapter(int).validate_python('7')",
    {
      onOutput: (chunk) => {
        if (chunk.kind === "stdout") said += chunk.text;
        if (read().length === OTHERS.length) letGo();
      },
    },
  );

  expect(result?.value).toBe(7);
  expect(read().slice(0, -1).toSorted()).toEqual(OTHERS);
  expect(read().at(-1)).toBe("pydantic_core");
});

test("Stop while the last file is on its way leaves nothing of those that were unpacked", async () => {
  await open({ packages: [lockfile] });
  await valueOf(SAY_WHAT_IS_READ);
  holdBack("/pydantic_core-");

  let said = "";

  const result = await session?.run("deps.add('pydantic')", {
    onOutput: (chunk) => {
      if (chunk.kind === "stdout") said += chunk.text;
      if (said.includes("read pydantic.")) session?.interrupt();
    },
  });

  expect(result?.error).toMatchObject({ code: "RUN_INTERRUPTED" });
  vi.restoreAllMocks();
  expect(await valueOf("deps.list()")).toEqual([]);
  expect((await session?.run("import pydantic"))?.error).toMatchObject({ pythonType: "ModuleNotFoundError" });
  expect((await session?.run("import typing_extensions"))?.error).toMatchObject({ pythonType: "ModuleNotFoundError" });
  expect(await valueOf("deps.add('pydantic')", "import pydantic", "1")).toBe(1);
});

test("of a package whose last file does not come nothing is installed", async () => {
  await open({ packages: [lockfile] });
  void intercept((address) => {
    return address.includes("/pydantic_core-") ? Promise.resolve(new Response("gone", { status: 410 })) : undefined;
  });

  const { error } = (await session?.run("deps.add('pydantic')")) ?? {};

  expect(error).toMatchObject({ code: "DEP_UNAVAILABLE" });
  expect(error?.message).toContain("answered 410");
  vi.restoreAllMocks();
  expect(await valueOf("deps.list()")).toEqual([]);
  expect((await session?.run("import typing_extensions"))?.error).toMatchObject({ pythonType: "ModuleNotFoundError" });
});

test("packages that are added at once come each by its own call", async () => {
  await open({ packages: [lockfile] });

  expect(
    await valueOf(
      "import asyncio",
      "added = await asyncio.gather(*(deps.add.call_async(name) for name in ['xxhash', 'msgpack', 'attrs']))",
      "import xxhash, msgpack, attrs",
      "[sorted(one.installed) for one in added]",
    ),
  ).toEqual([["xxhash"], ["msgpack"], ["attrs"]]);
});

test("Stop while a file is on its way leaves the list and the interpreter as they were", async () => {
  await open({ packages: [lockfile] });
  await valueOf("kept = 1");
  const asked = intercept((address, { signal }) => {
    if (!address.includes("/xxhash-")) return undefined;
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => {
        reject(new DOMException("It was stopped.", "AbortError"));
      });
    });
  });

  const running = session?.run("deps.add('xxhash')");
  await asked;
  session?.interrupt();

  expect((await running)?.error).toMatchObject({ code: "RUN_INTERRUPTED" });
  vi.restoreAllMocks();
  expect(await valueOf("deps.list()")).toEqual([]);
  expect((await session?.run("import xxhash"))?.error).toMatchObject({ pythonType: "ModuleNotFoundError" });
  expect(await valueOf("deps.add('xxhash')", HASH)).toBe(HASHED);
  expect(await valueOf("kept")).toBe(1);
});

import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";

import { functionTool, pythonTypeOf, type Session, type Value } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";
import { digestOf, wheel } from "./wheel.js";

/** Wheels as they were published: see the README there. */
const published = new URL("/test/wheels/", location.href).href;

describe.each(hosts)("wheels with compiled code at the $host host", ({ trust }) => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession({ trust, packages: [{ folder: published }], deps: ["xxhash"] });
  });
  afterAll(async () => {
    await session.close();
  });

  const valueOf = async (...lines: string[]): Promise<unknown> => {
    const { value, error } = await session.run(lines.join("\n"));
    expect(error).toBeNull();
    return value;
  };

  test("one that the session is opened with runs", async () => {
    expect(
      await valueOf("import xxhash", "[xxhash.xxh64(b'').hexdigest(), xxhash.xxh32(b'', seed=0).intdigest()]"),
    ).toEqual(["ef46db3751d8e999", 46947589]);
    const { stdout } = await session.run("help(xxhash)");
    expect(stdout).toMatch(/^Help on module xxhash:\n[^]*\nCLASSES\n[^]*xxh32/);
    expect(stdout.length).toBeLessThan(2000);
  });

  test("one that code adds runs at once", async () => {
    const found = await valueOf(
      "added = deps.add('msgpack')",
      "import msgpack",
      "packed = msgpack.packb({'a': [1, 2.5, None, b'x'], 'ü': -1})",
      "[sorted(added.installed), msgpack.Packer.__module__, list(packed[:3]), msgpack.unpackb(packed)]",
    );

    expect(found).toEqual([
      ["msgpack"],
      "msgpack._cmsgpack",
      [0x82, 0xa1, 0x61],
      { a: [1, 2.5, null, strToU8("x")], ü: -1 },
    ]);
  });

  test("one that needs others brings them along, and its models are dicts with their name for a tool", async () => {
    let taken: Value = null;
    session.tools.register(
      functionTool({
        name: "take",
        description: "Takes a value.",
        input: { type: "object", properties: { value: {} } },
        run: ({ value }) => {
          taken = value ?? null;
          return null;
        },
      }),
    );
    const refused = await valueOf(
      "deps.add('pydantic')",
      "import pydantic",
      "class City(pydantic.BaseModel):",
      "    name: str",
      "    people: int",
      "tools.take(value=City(name='Oslo', people='709037'))",
      "try:",
      "    City(name='Oslo', people='many')",
      "except pydantic.ValidationError as error:",
      "    found = error.errors()[0]['type']",
      "found",
    );

    expect(refused).toBe("int_parsing");
    expect(taken).toEqual({ name: "Oslo", people: 709037 });
    expect(pythonTypeOf(taken)).toBe("City");
  });

  test("time zones are there with tzdata", async () => {
    expect(
      await valueOf(
        "deps.add('tzdata')",
        "import datetime, zoneinfo",
        "datetime.datetime(2026, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Oslo')).utcoffset().total_seconds()",
      ),
    ).toBe(7200);
  });

  test("a reset leaves them installed for those that follow", async () => {
    await session.reset();

    expect(await valueOf("import xxhash", "xxhash.xxh64(b'').hexdigest()")).toBe("ef46db3751d8e999");
  });
});

/** The library with another name for a function of Python's that it imports, of the same length. */
function withoutHost(library: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = strFromU8(library, true);
  const renamed = text.replaceAll("PyModule_AddStringConstant", "no_such_host_function_made");
  if (renamed === text) throw new TypeError("The library does not import that function.");
  return strToU8(renamed, true);
}

describe("compiled code that is not what it should be", () => {
  const packagesFolder = `${inject("embeddingServer")}/files/broken-wheels/`;
  const filename = "xxhash-4.1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl";
  let session: Session;
  afterEach(async () => {
    await session.close();
  });

  async function openWith(change: (library: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): Promise<Session> {
    const files = unzipSync(new Uint8Array(await (await fetch(`${published}${filename}`)).arrayBuffer()));
    for (const [path, content] of Object.entries(files)) if (path.endsWith(".so")) files[path] = change(content);
    await withRecord(files);
    const index = JSON.stringify([filename]);
    await fetch(`${packagesFolder}index.json`, { method: "PUT", body: index });
    await fetch(`${packagesFolder}${filename}`, { method: "PUT", body: new Uint8Array(zipSync(files)) });
    return openSession({ trust: "sandboxed", packages: [{ folder: packagesFolder }] });
  }

  test.each([
    ["is no WebAssembly", () => strToU8("no module at all"), /magic|header|wasm/i],
    ["ends too early", (library: Uint8Array<ArrayBuffer>) => library.slice(0, library.length / 2), /./],
  ])("that %s fails with the loader's own words, and the session goes on", async (_what, change, words) => {
    session = await openWith(change);

    const { error } = await session.run("deps.add('xxhash')\nimport xxhash");

    expect(error).toMatchObject({ pythonType: "ImportError" });
    expect(error?.message).toMatch(words);
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("that wants a function which no host has ends the interpreter, and the session goes on in another", async () => {
    session = await openWith(withoutHost);

    const { error } = await session.run("deps.add('xxhash')\nimport xxhash");

    expect(error?.code).toBe("WORKER_LOST");
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("that was changed after its list of digests was made is not installed", async () => {
    const whole = new Uint8Array(await (await fetch(`${published}${filename}`)).arrayBuffer());
    const files = unzipSync(whole);
    const changed = Object.entries(files).map(([path, content]) => {
      return [path, path.endsWith(".so") ? strToU8(`${strFromU8(content, true)}\0`, true) : content] as const;
    });
    await fetch(`${packagesFolder}index.json`, { method: "PUT", body: JSON.stringify([filename]) });
    await fetch(`${packagesFolder}${filename}`, {
      method: "PUT",
      body: new Uint8Array(zipSync(Object.fromEntries(changed))),
    });
    session = await openSession({ trust: "sandboxed", packages: [{ folder: packagesFolder }] });

    const { error } = await session.run("deps.add('xxhash')");

    expect(error?.message).toContain("is damaged");
    expect((await session.run("deps.list()")).value).toEqual([]);
  });
});

test("what a wheel brings for Python's start is not run, in the next interpreter neither", async () => {
  const address = `${inject("embeddingServer")}/files/starting-wheels/`;
  const filename = "starter-1.0-py3-none-any.whl";
  const files = unzipSync(await wheel("starter", "1.0", "import builtins\nbuiltins.started = 'imported'\n"));
  const start = strToU8("import builtins; builtins.started = 'unasked'\n");
  const whole = { ...files, "starter.pth": start, "sitecustomize.py": start, "usercustomize.py": start };
  await withRecord(whole);
  await fetch(`${address}index.json`, { method: "PUT", body: JSON.stringify([filename]) });
  await fetch(`${address}${filename}`, { method: "PUT", body: new Uint8Array(zipSync(whole)) });
  const session = await openSession({ trust: "sandboxed", packages: [{ folder: address }], deps: ["starter"] });
  const started = "import builtins\ngetattr(builtins, 'started', None)";
  try {
    expect((await session.run(started)).value).toBeNull();
    await session.reset();
    expect((await session.run(started)).value).toBeNull();
    expect((await session.run(`import starter\n${started}`)).value).toBe("imported");
  } finally {
    await session.close();
  }
});

/** Has the list of a wheel's files name each with its digest. */
async function withRecord(files: Record<string, Uint8Array>): Promise<void> {
  const [record = ""] = Object.keys(files).filter((path) => path.endsWith("/RECORD"));
  const digests = Object.entries(files).filter(([path]) => path !== record);
  const lines = digests.map(
    async ([path, content]) => `${path},sha256=${await digestOf(content)},${String(content.length)}`,
  );
  files[record] = strToU8([...(await Promise.all(lines)), `${record},,`, ""].join("\n"));
}

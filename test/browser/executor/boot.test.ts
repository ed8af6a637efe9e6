import { cdp } from "vitest/browser";
import { afterEach, describe, expect, test, vi } from "vitest";

import { memoryStorage, Session, type SessionOptions } from "../../../src/index.js";
import { untilAnswered, untilShown } from "../../timeouts.mjs";

const CACHE = "vitrine-base-snapshot";
const opened: Session[] = [];

async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  const session = await Session.open({ storage: memoryStorage(), ...options });
  opened.push(session);
  return session;
}

/** The same files under an address of their own: the page knows no snapshot for it yet. */
let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `/node_modules/${"./".repeat(addresses)}pyodide/`;
}

function boot(session: Session): NonNullable<Session["capabilities"]>["boot"] {
  return session.capabilities!.boot;
}

afterEach(async () => {
  vi.restoreAllMocks();
  for (const session of opened.splice(0)) await session.close();
});

describe.each(["local", "sandboxed"] as const)("at %s", (trust) => {
  test("a session starts from the snapshot of the build, and its code runs and waits as ever", async () => {
    const session = await open({ trust });
    const { value, error } = await session.run("import asyncio, json\nawait asyncio.sleep(0)\njson.dumps([1])");

    expect(boot(session)).toMatchObject({ from: "snapshot", spare: false });
    expect(error).toBeNull();
    expect(value).toBe("[1]");
  });

  test("random numbers differ from session to session", async () => {
    const draw = async (): Promise<unknown> => {
      const session = await open({ trust });
      return (await session.run("import random\nrandom.random()")).value;
    };
    expect(await draw()).not.toBe(await draw());
  });
});

test("the monotonic clock is ahead of the moment at which the snapshot was taken", async () => {
  const session = await open({ trust: "local" });
  const { value, error } = await session.run(
    "import time\nfrom vitrine import _base_snapshot\n[_base_snapshot._taken_at, time.monotonic(), time.monotonic()]",
  );

  expect(error).toBeNull();
  const [takenAt, first, second] = value as [number, number, number];
  expect(takenAt).toBeGreaterThan(0);
  expect(first).toBeGreaterThanOrEqual(takenAt);
  expect(second).toBeGreaterThanOrEqual(first);
});

test.each([
  ["America/New_York", [18_000, 14_400, 1, -18_000, "-0500"]],
  ["Australia/Sydney", [-36_000, -39_600, 1, 39_600, "+1100"]],
])("the time zone is the browser's, not that of the build: %s", async (timezoneId, expected) => {
  const devTools = cdp() as unknown as { send(method: string, parameters: object): Promise<void> };
  await devTools.send("Emulation.setTimezoneOverride", { timezoneId });
  try {
    const session = await open({ trust: "local" });
    const { value, error } = await session.run(
      [
        "import datetime, time",
        "new_year = datetime.datetime(2026, 1, 1).astimezone()",
        "offset = int(new_year.utcoffset().total_seconds())",
        "[time.timezone, time.altzone, time.daylight, offset, new_year.strftime('%z')]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual(expected);
  } finally {
    await devTools.send("Emulation.setTimezoneOverride", { timezoneId: "" });
  }
});

describe("a base snapshot", () => {
  test("is kept by the browser, and taken from there", async () => {
    await open({ pyodideBaseURL: freshAddress() });
    await vi.waitFor(async () => {
      expect(await (await caches.open(CACHE)).keys()).toHaveLength(1);
    }, untilShown);
    const later = await open({ pyodideBaseURL: freshAddress() });

    expect(boot(later)).toMatchObject({ from: "snapshot", source: "cache" });
  });

  test("that no server has is made here, kept, and taken by the next session", async () => {
    localStorage.clear();
    await caches.delete(CACHE);
    const original = globalThis.fetch.bind(globalThis);
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
      (input instanceof Request ? input.url : input.toString()).includes("base-snapshot")
        ? Promise.resolve(new Response(null, { status: 404 }))
        : original(input, init),
    );
    const address = freshAddress();
    const first = await open({ pyodideBaseURL: address });
    expect(boot(first)).toMatchObject({ from: "plain", reason: expect.stringContaining("404") });

    await vi.waitFor(async () => {
      expect(Object.keys(localStorage).filter((key) => key.startsWith("vitrine/"))).toHaveLength(1);
      expect(await (await caches.open(CACHE)).keys()).toHaveLength(1);
    }, untilAnswered);
    const second = await open({ pyodideBaseURL: address });
    expect(boot(second)).toMatchObject({ from: "snapshot", source: "memory" });
    const nextVisit = await open({ pyodideBaseURL: freshAddress() });
    expect(boot(nextVisit)).toMatchObject({ from: "snapshot", source: "cache" });
    expect((await nextVisit.run("import asyncio\nawait asyncio.sleep(0)\n1")).value).toBe(1);
    await caches.delete(CACHE);
  });

  test("that was changed in the cache is thrown away, and the session says why it started the plain way", async () => {
    await open({ pyodideBaseURL: freshAddress() });
    const cache = await caches.open(CACHE);
    const [key] = await vi.waitFor(async () => {
      const keys = await cache.keys();
      expect(keys).toHaveLength(1);
      return keys;
    }, untilShown);
    const bytes = new Uint8Array(await (await cache.match(key!))!.arrayBuffer());
    bytes[bytes.length >> 1]! ^= 1;
    await cache.put(key!, new Response(bytes));

    const session = await open({ pyodideBaseURL: freshAddress() });

    expect(boot(session)).toMatchObject({ from: "plain", reason: expect.stringContaining("damaged") });
    expect((await session.run("6 * 7")).value).toBe(42);
  });

  test("is left aside on request", async () => {
    const session = await open({ useSnapshot: false });

    expect(boot(session)).toMatchObject({ from: "plain" });
    expect((await session.run("6 * 7")).value).toBe(42);
  });
});

describe("a spare", () => {
  async function spareReady(session: Session): Promise<void> {
    await vi.waitFor(() => {
      expect(session.spare).toMatchObject({ state: "ready", problem: null });
    }, untilAnswered);
  }

  test("is not made unless it is asked for", async () => {
    const session = await open();

    expect(session.spare).toEqual({ state: "none", heapSize: 0, problem: null });
  });

  test("is taken by reset, says what it costs, and begins with nothing of the old interpreter", async () => {
    const session = await open({ spare: "one" });
    await session.run("x = 1\nopen('/tmp/left', 'w').write('here')");
    await spareReady(session);
    expect(session.spare.heapSize).toBeGreaterThan(16 * 2 ** 20);

    await session.reset();

    expect(boot(session)).toMatchObject({ spare: true });
    const { value } = await session.run("import os\n['x' in globals(), os.path.exists('/tmp/left')]");
    expect(value).toEqual([false, false]);
    expect((await session.run("artifacts.save('a', 1)\nartifacts.load('a')")).value).toBe(1);
  });

  test("is taken by the next session of its trust level, and by no other", async () => {
    const pyodideBaseURL = freshAddress();
    const first = await open({ trust: "local", spare: "one", pyodideBaseURL });
    await spareReady(first);

    const other = await open({ trust: "sandboxed", spare: "one", pyodideBaseURL });
    expect(boot(other)).toMatchObject({ spare: false });
    const same = await open({ trust: "local", spare: "one", pyodideBaseURL });
    expect(boot(same)).toMatchObject({ spare: true });
    expect((await same.run("6 * 7")).value).toBe(42);
  });

  test("is made anew when code ended the interpreter", async () => {
    const session = await open({ spare: "one" });
    await spareReady(session);
    // Within one call of C nothing is interrupted; a loop that catches what interrupts it has moments in which it is.
    const { error, lost } = await session.run("sum(range(10 ** 15))", { timeout: 100 });
    expect(lost).toBe(true);
    expect(error?.code).toBe("RUN_TIMEOUT");

    expect((await session.run("6 * 7")).value).toBe(42);
    expect(boot(session)).toMatchObject({ spare: true });
    await spareReady(session);
  });
});

describe("the heap", () => {
  test("has a limit with an error of its own, and the run after it works", async () => {
    const session = await open({ limits: { heapSize: 128 * 2 ** 20 } });
    await session.run("kept = 'here'");

    const { error } = await session.run("hoard = []\nwhile True: hoard.append(bytearray(8_000_000))");

    expect(error).toMatchObject({ code: "HEAP_LIMIT", pythonType: "MemoryError" });
    expect(error?.message).toContain("128 MB");
    expect((await session.run("del hoard\nkept")).value).toBe("here");
  });

  test("lets code catch its MemoryError", async () => {
    const session = await open({ limits: { heapSize: 128 * 2 ** 20 } });

    const { value, error } = await session.run(
      "try:\n    bytearray(500_000_000)\n    caught = False\nexcept MemoryError:\n    caught = True\ncaught",
    );

    expect(error).toBeNull();
    expect(value).toBe(true);
  });
});

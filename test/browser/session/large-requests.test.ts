import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { functionTool, type OutputChunk, type Session } from "../../../src/index.js";
import { openSession } from "./hosts.js";

let session: Session;
let release = (): void => undefined;

beforeAll(async () => {
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const anything = { type: "object", properties: { value: {} } } as const;
  session = await openSession({
    timeout: null,
    tools: [
      functionTool({ name: "take", description: "Takes a value", input: anything, run: () => "taken" }),
      functionTool({
        name: "hold",
        description: "Waits for release",
        input: anything,
        run: async () => {
          await released;
          return "held";
        },
      }),
      functionTool({
        name: "release",
        description: "Ends all waits",
        input: {},
        run: () => {
          release();
          return null;
        },
      }),
      functionTool({ name: "echo", description: "Gives it back", input: anything, run: ({ value }) => value ?? null }),
    ],
  });
});
afterAll(() => session.close());

describe("what is large arrives whole", () => {
  test.each([
    ["a text", "'aé😀' * 700_000", "aé😀".repeat(700_000)],
    ["a text with half a character", "'x\\ud83d' * 2_000_000", "x\ud83d".repeat(2_000_000)],
    ["quotes", `'"' * 5_000_000`, '"'.repeat(5_000_000)],
  ])("%s, as the value of a run and to a tool and back", async (_what, code, expected) => {
    const { value, error } = await session.run(`text = ${code}\ntext`);
    expect(error).toBeNull();
    // Not by toBe, which would print them.
    expect(value === expected).toBe(true);

    const given = await session.run("tools.echo(value=text) == text");
    expect(given.error).toBeNull();
    expect(given.value).toBe(true);
  });

  test("bytes, to a tool and back, beside a small piece of them", async () => {
    const { value, error } = await session.run(
      "import os\nlarge = os.urandom(9_000_000)\ntools.echo(value=[large, large[:3]]) == [large, large[:3]]",
    );

    expect(error).toBeNull();
    expect(value).toBe(true);
  });

  test("an artifact, and a file that the next interpreter finds", async () => {
    const made = await session.run(
      [
        "import hashlib",
        "with open('large.bin', 'wb') as file: file.write(large)",
        "artifacts.save('large.bin', large)",
        "artifacts.load('large.bin') == large",
      ].join("\n"),
    );
    expect(made.error).toBeNull();
    expect(made.value).toBe(true);
    const digest = (await session.run("hashlib.sha256(large).hexdigest()")).value;

    await session.reset();
    const found = await session.run("import hashlib\nhashlib.sha256(open('large.bin', 'rb').read()).hexdigest()");

    expect(found.error).toBeNull();
    expect(found.value).toBe(digest);
  });

  test("what is printed and shown, in its order", async () => {
    const seen: OutputChunk[] = [];
    const { error, stdout } = await session.run(
      [
        "class Shown:",
        "    def _repr_mimebundle_(self, **_): return {'text/html': 'h' * 5_000_000, 'image/png': b'p' * 5_000_000}",
        "print('before')",
        "display(Shown())",
        "print('aé😀' * 1_000_000)",
      ].join("\n"),
      { onOutput: (chunk) => seen.push(chunk) },
    );

    expect(error).toBeNull();
    const at = seen.findIndex(({ kind }) => kind === "display");
    const shown = seen[at];
    if (shown?.kind !== "display") throw new Error("Nothing was shown.");
    expect(shown.data["text/html"] === "h".repeat(5_000_000)).toBe(true);
    expect(shown.data["image/png"]).toHaveLength(5_000_000);
    const texts = (chunks: readonly OutputChunk[]): string =>
      chunks.map((chunk) => (chunk.kind === "stdout" ? chunk.text : "")).join("");
    expect(texts(seen.slice(0, at))).toBe("before\n");
    // As far as output is shown; all of it is kept.
    expect(texts(seen.slice(at)).slice(0, 999_000) === "aé😀".repeat(1_000_000).slice(0, 999_000)).toBe(true);
    const [, kept = ""] = /all of them in (outputs\/[^\]]+)\]/.exec(stdout) ?? [];
    const code = `artifacts.load(${JSON.stringify(kept)}) == "before\\n" + "aé😀" * 1_000_000 + "\\n"`;
    expect((await session.run(code)).value).toBe(true);
  });

  test("of a value that is too large to hand on the first sixteen million characters are kept, and that is said", async () => {
    const small = await openSession({ limits: { valueSize: 1000 } });
    const { value, notices } = await small.run("'x' * 20_000_000");
    await small.close();

    expect(value).toMatchObject({ type: "str" });
    expect(notices.join()).toContain("the first 16,000,000 in");
  });

  test.each([
    ["a list of a million numbers", "tools.take(value=[0] * 1_000_000)", "taken"],
    ["tuples in dicts", "tools.take(value=[{'at': (i, 1)} for i in range(50_000)])", "taken"],
    [
      "what comes back as it went",
      "tools.echo(value=[(i, 'x') for i in range(50_000)]) == [(i, 'x') for i in range(50_000)]",
      true,
    ],
  ])("%s", async (_what, code, value) => {
    const result = await session.run(code);

    expect(result.error).toBeNull();
    expect(result.value).toBe(value);
  });

  test("a value of a run", async () => {
    const { value, error } = await session.run("{str(number): number for number in range(150_000)}");

    expect(error).toBeNull();
    expect(Object.keys(value as object)).toHaveLength(150_000);
  });
});

describe("what is too much to be read is refused, and the session goes on", () => {
  test.each([
    [
      "arguments of a method that takes none",
      "artifacts._bridge.request('artifacts.list', {'x': ['y'] * 1_000_000})",
      "REQUEST_TOO_LARGE",
      "The arguments of artifacts.list come to 4,000,007 characters of text, and it takes 100,000.",
    ],
    [
      "a query",
      "skills.search('word ' * 300_000)",
      "REQUEST_TOO_LARGE",
      "The arguments of skills.search come to 1,500,023 characters of text, and it takes 100,000.",
    ],
    [
      "arguments of a call",
      "tools.take(value='x' * 17_000_000)",
      "REQUEST_TOO_LARGE",
      "16,777,216 can be sent at once. Send large data as bytes, or in parts.",
    ],
    [
      "a dict of very many keys",
      "tools.take(value={str(number): number for number in range(100_001)})",
      "MALFORMED_VALUE",
      "a dict has more than 100,000 keys; a list of pairs may be longer",
    ],
    [
      "very many unknown arguments",
      "artifacts._bridge.request('artifacts.save', {f'k{number}': 0 for number in range(90_000)})",
      "BRIDGE_ARGUMENT",
      "there are 90000 of them",
    ],
  ])("%s", async (_what, code, errorCode, message) => {
    const { error } = await session.run(code);

    expect(error).toMatchObject({ code: errorCode });
    expect(error?.message).toContain(message);
    expect((await session.run("1 + 1")).value).toBe(2);
  });

  test("calls that are open together", async () => {
    const { value, error } = await session.run(
      [
        "import asyncio",
        "calls = [asyncio.ensure_future(tools.hold.call_async(value='x' * 3_000_000)) for _ in range(8)]",
        "while sum(call.done() for call in calls) < 3:",
        "    await asyncio.sleep(0.01)",
        "await tools.release.call_async()",
        "[getattr(each, 'code', each) for each in await asyncio.gather(*calls, return_exceptions=True)]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual([...Array<string>(5).fill("held"), ...Array<string>(3).fill("REQUEST_TOO_LARGE")]);
  });
});

test("text that is longer than a request may be is kept as an artifact, since it is sent as bytes", async () => {
  const { error, value } = await session.run(
    "artifacts.save('long.txt', 'é' * 17_000_000)\nlen(artifacts.load('long.txt'))",
  );

  expect(error).toBeNull();
  expect(value).toBe(17_000_000);
  expect(await session.artifacts.get("long.txt")).toMatchObject({ kind: "text" });
});

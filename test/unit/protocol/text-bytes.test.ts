import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ArtifactStore, OutputStore } from "../../../src/artifacts/index.js";
import { encodeTextInSlices, outputSize, textSize } from "../../../src/protocol/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { Workspace } from "../../../src/workspace/index.js";
import { countTurns } from "../count-turns.js";

/** Characters that may become bytes in one call. */
const AT_ONCE = 65_536;

const texts: Readonly<Record<string, string>> = {
  "": "",
  ASCII: "x".repeat(3_000_000),
  "of two bytes": "ä".repeat(1_000_000),
  "of pairs that lie across every border": `x${"😀".repeat(500_000)}`,
  "of half pairs": "\uD83D".repeat(200_000) + "\uDE00".repeat(200_000),
};

describe.each(Object.entries(texts))("a text %s", (_, text) => {
  test("has the bytes and the size that the encoder gives it whole", async () => {
    const whole = new TextEncoder().encode(text);

    expect(textSize(text)).toBe(whole.byteLength);
    expect(Buffer.compare(await encodeTextInSlices(text), whole)).toBe(0);
  });
});

describe("no large text becomes bytes in one go", () => {
  const text = "ä".repeat(2_000_000);
  let longest = 0;

  beforeEach(() => {
    longest = 0;
    for (const method of ["encode", "encodeInto"] as const) {
      const original = TextEncoder.prototype[method] as (this: TextEncoder, ...args: unknown[]) => unknown;
      vi.spyOn(TextEncoder.prototype, method).mockImplementation(function (this: TextEncoder, ...args: unknown[]) {
        longest = Math.max(longest, String(args[0]).length);
        return original.apply(this, args) as never;
      });
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each<[string, () => unknown]>([
    ["an artifact", () => new ArtifactStore(memoryStorage()).save("a.txt", text)],
    ["a file of the workspace", () => new Workspace(memoryStorage()).write("a.txt", text)],
    ["the rest of an output", () => new OutputStore(memoryStorage()).keep("a", text)],
    ["the rest of an output that is cut", () => new OutputStore(memoryStorage(), { limit: 1_000_000 }).keep("a", text)],
    ["the size of an output", () => outputSize({ kind: "stdout", text })],
    [
      "the size of what is displayed",
      () => outputSize({ kind: "display", source: "value", data: { "text/plain": text } }),
    ],
  ])("%s", async (_, work) => {
    await work();

    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(AT_ONCE);
  });
});

test("between the pieces of a text the page goes on", async () => {
  const endOfCount = countTurns();

  await encodeTextInSlices("x".repeat(3_000_000));
  const turns = endOfCount();

  expect(turns).toBeGreaterThan(3_000_000 / AT_ONCE);
});

describe("of two writes under one name the later stays, however long the first takes", () => {
  const large = "x".repeat(5_000_000);

  test("of artifacts", async () => {
    const store = new ArtifactStore(memoryStorage());

    await Promise.all([
      store.save("a.txt", large),
      store.save("a.txt", "later"),
      store.save("b.bin", new Uint8Array(1)),
    ]);

    expect(await store.load("a.txt")).toBe("later");
  });

  test("of files", async () => {
    const workspace = new Workspace(memoryStorage());

    await Promise.all([workspace.write("a.txt", large), workspace.write("a.txt", "later")]);

    expect(new TextDecoder().decode(await workspace.read("a.txt"))).toBe("later");
  });
});

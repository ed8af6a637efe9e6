import { expect, test } from "vitest";

import { listKeys, memoryStorage, overlayStorage } from "../../../src/storage/index.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (found: Uint8Array | undefined): string | undefined => found && new TextDecoder().decode(found);

test("an overlay reads what it may see, keeps what is written to itself, and lists both", async () => {
  const below = memoryStorage();
  await below.write(
    new Map([
      ["a/1", bytes("one")],
      ["a/2", bytes("two")],
      ["secret/1", bytes("hidden")],
    ]),
  );
  const overlay = overlayStorage(below, ["a/"]);

  await overlay.write(
    new Map([
      ["a/1", bytes("changed")],
      ["a/2", null],
      ["a/3", bytes("three")],
      ["secret/1", bytes("own")],
    ]),
  );

  const keys = async (prefix: string) => await listKeys(overlay, prefix);
  expect([text(await overlay.get("a/1")), await overlay.get("a/2"), text(await overlay.get("a/3"))]).toEqual([
    "changed",
    undefined,
    "three",
  ]);
  expect(text(await overlay.get("secret/1"))).toBe("own");
  expect(await keys("")).toEqual(["a/1", "a/3", "secret/1"]);
  expect(await keys("a/")).toEqual(["a/1", "a/3"]);
  overlay.close();
  expect(text(await below.get("a/1"))).toBe("one");
  expect(text(await below.get("a/2"))).toBe("two");
  expect(text(await below.get("secret/1"))).toBe("hidden");
});

test("a write that finds no room leaves what is seen of the store below as it was", async () => {
  const below = memoryStorage();
  await below.write(new Map([["a/1", bytes("one")]]));
  const overlay = overlayStorage(below, ["a/"], { limit: 100 });

  await expect(overlay.write(new Map([["a/1", new Uint8Array(200)]]))).rejects.toMatchObject({ code: "STORAGE_FULL" });

  expect(text(await overlay.get("a/1"))).toBe("one");
  expect(await listKeys(overlay, "a/")).toEqual(["a/1"]);
});

test("what is hidden of the store below is not there, by key and in listings", async () => {
  const below = memoryStorage();
  await below.write(
    new Map([
      ["tools/x.yaml", bytes("name: x")],
      ["skills/a.py", bytes("")],
    ]),
  );
  const overlay = overlayStorage(below, ["skills/"]);

  expect(await overlay.get("tools/x.yaml")).toBeUndefined();
  expect(await listKeys(overlay, "")).toEqual(["skills/a.py"]);
  expect(await listKeys(overlay, "tools/")).toEqual([]);
});

test("a write is compared with what is seen of the store below, which never changes", async () => {
  const below = memoryStorage();
  await below.write(
    new Map([
      ["a/1", bytes("one")],
      ["secret/1", bytes("hidden")],
    ]),
  );
  const overlay = overlayStorage(below, ["a/"]);
  const expecting = async (content: string, expected: Readonly<Record<string, string | null>>) => {
    const ifUnchanged = new Map(
      Object.entries(expected).map(([key, each]) => [key, each === null ? null : bytes(each)]),
    );
    await overlay.write(new Map([["a/1", bytes(content)]]), { ifUnchanged });
  };

  const first = expecting("two", { "a/1": "one", "secret/1": null });
  const late = expecting("three", { "a/1": "one" });
  const seen = overlay.get("a/1");

  await first;
  await expect(late).rejects.toMatchObject({ code: "STORAGE_CONFLICT", path: "a/1" });
  expect(text(await seen)).toBe("two");
  await expect(expecting("four", { "secret/1": "hidden" })).rejects.toMatchObject({ path: "secret/1", found: null });
  await below.write(new Map([["a/2", bytes("new")]]));
  await expect(expecting("five", { "a/1": "two", "a/2": null })).rejects.toMatchObject({ path: "a/2" });
  await expecting("six", { "a/1": "two", "a/2": "new" });
  expect(text(await overlay.get("a/1"))).toBe("six");
  expect(text(await below.get("a/1"))).toBe("one");
});

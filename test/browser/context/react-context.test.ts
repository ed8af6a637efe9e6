import { describe, expect, test } from "vitest";

import { openContext, type ReactContext } from "../../../src/context/index.js";
import { encodeText, indexedDBStorage, memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import { freshName } from "../storage/fresh-name.js";
import { newContext, programResult, returned, searched } from "../../unit/context/contexts.js";

/** A story of two turns with everything that a context can hold. */
async function story(storage: StorageBackend): Promise<ReactContext> {
  const context = await newContext(storage);
  await context.registerResult(searched());
  await context.registerResult(returned({ sum: 2n ** 70n, part: NaN, when: new Date(0), raw: new Uint8Array(3) }));
  await context.registerResult(returned("second version"));
  await context.registerResult(programResult());
  await context.mapSlots([
    { slotName: "report", sourcePath: "current_turn.artifacts.report", gaps: "the end" },
    { slotName: "table", sourcePath: "current_turn.artifacts.table" },
  ]);
  await context.answer("It is done.", [{ filename: "notes.md", text: "noted" }]);
  await context.endTurn({ exit: "complete", status: "success", time: 1, result: { ok: true } });
  await context.beginTurn({
    id: "turn_2",
    prompt: "And now?",
    attachments: [{ filename: "a.pdf", mime: "application/pdf" }],
  });
  await context.registerResult(returned(null, { outcome: { kind: "failed", code: "X", message: "no" } }));
  return context;
}

const all = (context: ReactContext) => ({
  turns: context.turnIds.map((id) => context.turn(id)),
  current: context.currentTurn?.record.id,
  sources: context.sources,
  problems: context.problems(),
});

describe("a context in storage", () => {
  test("opened anew from IndexedDB has all that it had", async () => {
    const name = freshName();
    const storage = indexedDBStorage(name);
    const before = await story(storage);
    storage.close();

    const after = await openContext({ storage: indexedDBStorage(name), id: "talk" });

    expect(all(after)).toEqual(all(before));
    expect(after.turn("turn_1").artifacts.map(({ id, version }) => `${id}@${String(version)}`)).toEqual([
      "hits@1",
      "found@1",
      "found@2",
      "report@1",
      "table@1",
    ]);
    expect(after.fetch("turn_1.artifacts.found@1.value.sum").ret).toBe(2n ** 70n);
    expect(after.fetch("current_turn.user.attachments.a.pdf.mime").ret).toBe("application/pdf");
  });

  test("a turn is reopened after a reload: what is made then goes on from what was there", async () => {
    const name = freshName();
    const storage = indexedDBStorage(name);
    await story(storage);
    storage.close();
    const reloaded = indexedDBStorage(name);
    const context = await openContext({ storage: reloaded, id: "talk" });

    await context.reopenTurn("turn_1");
    await context.registerResult(returned("third version"));
    await context.registerResult(searched("more", [{ url: "https://two.example/" }, { url: "https://new.example/" }]));
    const [mapped] = await context.mapSlots([{ slotName: "report", sourcePath: "current_turn.artifacts.found" }]);

    expect(mapped).toMatchObject({ kind: "applied", slot: { text: "third version", mappedArtifactId: "found@3" } });
    expect(context.currentTurn?.record).toMatchObject({ id: "turn_1", end: null, completion: "It is done." });
    expect(context.turn("turn_1").artifacts.at(-1)).toMatchObject({ id: "more", sids: [2, 4] });
    const again = await openContext({ storage: reloaded, id: "talk" });
    expect(all(again)).toEqual(all(context));
  });

  test("a damaged record gives a typed error, and the others stay readable", async () => {
    const storage = indexedDBStorage(freshName());
    await story(storage);
    await storage.write(
      new Map([
        ["contexts/talk/artifacts/turn_1/found@1", encodeText('{"record": 1, "artifact": {"id": "found"}}')],
        ["contexts/talk/artifacts/turn_1/table@1", encodeText("{")],
        ["contexts/talk/turns/turn_2", encodeText('{"record": 2}')],
        ["contexts/talk/sources/2", new Uint8Array([255, 0])],
      ]),
    );

    const context = await openContext({ storage, id: "talk" });

    expect(context.problems().map(({ code, file }) => [code, file])).toEqual([
      ["STORAGE_READ", "contexts/talk/turns/turn_2"],
      ["STORAGE_READ", "contexts/talk/artifacts/turn_1/found@1"],
      ["STORAGE_READ", "contexts/talk/artifacts/turn_1/table@1"],
      ["STORAGE_READ", "contexts/talk/sources/2"],
    ]);
    expect(() => context.turn("turn_2")).toThrow(expect.objectContaining({ code: "STORAGE_READ" }));
    expect(context.fetch("turn_2.user.prompt.text")).toMatchObject({ err: { code: "tool_failure" } });
    expect(context.fetch("turn_1.artifacts.found@1.text")).toMatchObject({ err: { code: "tool_failure" } });
    expect(context.fetch("turn_1.artifacts.found.text").ret).toBe("second version");
    expect(context.fetch("turn_1.artifacts.table")).toMatchObject({ err: { code: "tool_failure" } });
    expect(context.fetch("turn_1.slots.report.text").ret).toBe("All *well*.");
    // The number of the lost one is given to no other: texts cite it.
    await context.reopenTurn("turn_1");
    await context.registerResult(searched("more", [{ url: "https://new.example/" }]));
    expect(context.sources.map(({ sid }) => sid)).toEqual([1, 3, 4]);
  });

  test("what is made beside a damaged version takes a number of its own", async () => {
    const storage = memoryStorage();
    await story(storage);
    const key = "contexts/talk/artifacts/turn_1/table@1";
    await storage.write(new Map([[key, encodeText("{")]]));
    const context = await openContext({ storage, id: "talk" });
    await context.reopenTurn("turn_1");

    const { artifacts } = await context.registerResult(programResult());

    expect(artifacts.map(({ id, version }) => [id, version])).toEqual([
      ["report", 2],
      ["table", 2],
    ]);
    expect(await storage.get(key)).toEqual(encodeText("{"));
  });

  test("what does not fit is not there, in memory as little as in storage", async () => {
    const storage = memoryStorage({ limit: 6_000 });
    const context = await newContext(storage);

    await expect(context.registerResult(returned("x".repeat(10_000)))).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(context.fetch("current_turn.artifacts.found")).toMatchObject({ err: { code: "not_found" } });
    await context.registerResult(returned("small"));

    expect(context.fetch("current_turn.artifacts.found@1.text").ret).toBe("small");
    expect(all(await openContext({ storage, id: "talk" }))).toEqual(all(context));
  });

  test("contexts of one storage know nothing of each other", async () => {
    const storage = memoryStorage();
    await story(storage);

    const other = await openContext({ storage, id: "talk2" });

    expect([other.turnIds, other.sources, other.currentTurn]).toEqual([[], [], null]);
  });
});

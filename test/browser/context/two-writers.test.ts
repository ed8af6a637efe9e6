import { describe, expect, test } from "vitest";

import { openContext, type ReactContext } from "../../../src/context/index.js";
import type { Model } from "../../../src/model/index.js";
import { indexedDBStorage, type StorageBackend } from "../../../src/storage/index.js";
import { DecisionLoop } from "../../../src/turn-loop/index.js";
import { freshName } from "../storage/fresh-name.js";
import { REPORT, scripted, turnSession } from "../../unit/turn-loop/turns.js";
import { returned } from "../../unit/context/contexts.js";

/** What another tab would open: the same database over a connection of its own. */
function twoTabs(): { readonly one: StorageBackend; readonly other: StorageBackend } {
  const name = freshName();
  return { one: indexedDBStorage(name), other: indexedDBStorage(name) };
}
const open = (storage: StorageBackend, id = "talk"): Promise<ReactContext> => openContext({ storage, id });

describe("two tabs on one context", () => {
  test("the one that has not seen what the other wrote changes nothing, and goes on once it has opened it anew", async () => {
    const { one, other } = twoTabs();
    const first = await open(one);
    const second = await open(other);

    await first.beginTurn({ id: "turn_1", prompt: "Sum it up.", contract: REPORT });
    const late = second.beginTurn({ id: "turn_1", prompt: "And mine?" });

    await expect(late).rejects.toMatchObject({
      name: "ContextError",
      code: "CONTEXT_CHANGED",
      message: expect.stringContaining("Open it anew with openContext"),
    });
    expect(second.turnIds).toEqual([]);
    const anew = await open(other);
    await anew.registerResult(returned("mine"));
    await expect(first.answer("Done.")).rejects.toMatchObject({ code: "CONTEXT_CHANGED" });
    const last = await open(one);
    expect(last.currentTurn?.artifacts.map(({ text }) => text)).toEqual(["mine"]);
    expect(last.currentTurn?.record).toMatchObject({ prompt: "Sum it up.", completion: null });
  });

  test("while a loop works on it nobody else changes it; when it has ended one can, who has seen it", async () => {
    const { one, other } = twoTabs();
    const context = await open(one);
    const waiting: (() => void)[] = [];
    const says = scripted("model", { action: "exit", strategy: "exit" });
    const model: Model = {
      ...says,
      complete: async function* (...args) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        yield* says.complete(...args);
      },
    };
    const session = turnSession([]);

    const run = await new DecisionLoop({ session, context, model }).run({ prompt: "Go.", contract: REPORT });
    await expect.poll(() => waiting.length).toBe(1);
    const meanwhile = await open(other);
    const change = meanwhile.beginTurn({ prompt: "Me too." });
    const unasked = scripted("unasked");
    const loops = [meanwhile, context].map(async (used) => {
      const second = await new DecisionLoop({ session, context: used, model: unasked }).run({ prompt: "Me too." });
      return second.result;
    });

    await expect(change).rejects.toMatchObject({ code: "CONTEXT_IN_USE", message: expect.stringContaining("stop it") });
    for (const loop of loops) {
      await expect(loop).resolves.toMatchObject({ exit: "error", error: { error: "CONTEXT_IN_USE" } });
    }
    waiting.forEach((go) => go());
    expect(await run.result).toMatchObject({ exit: "incomplete_contract" });
    const after = await open(other);
    await after.beginTurn({ id: "turn_2", prompt: "Now me." });
    expect(after.turnIds).toHaveLength(2);
  });

  test("of those who begin a context at once one does, and contexts of one id in two databases are two", async () => {
    const { one, other } = twoTabs();
    const elsewhere = await open(indexedDBStorage(freshName()));
    const both = await Promise.all([open(one), open(other)]);

    const begun = await Promise.allSettled([
      ...both.map((context, index) => context.beginTurn({ id: `turn_${String(index)}`, prompt: "First!" })),
      elsewhere.beginTurn({ id: "turn_9", prompt: "Alone." }),
    ]);

    expect(begun.slice(0, 2).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(begun.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: expect.stringMatching(/^CONTEXT_(CHANGED|IN_USE)$/) },
    });
    expect(begun[2]?.status).toBe("fulfilled");
    expect((await open(one)).turnIds).toHaveLength(1);
  });

  test("changes that come quickly one after another are all made", async () => {
    const context = await open(indexedDBStorage(freshName()));
    await context.beginTurn({ id: "turn_1", prompt: "Go." });

    await Promise.all(Array.from({ length: 30 }, (_, index) => context.registerResult(returned(index))));
    for (let index = 0; index < 10; index += 1) await context.registerResult(returned(index));

    expect(context.currentTurn?.artifacts).toHaveLength(40);
  });
});

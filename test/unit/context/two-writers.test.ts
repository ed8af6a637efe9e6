import { expect, test } from "vitest";

import { openContext } from "../../../src/context/index.js";
import { encodeText, memoryStorage } from "../../../src/storage/index.js";
import { decide, play, scripted, turnSession } from "../turn-loop/turns.js";
import { newContext, returned } from "./contexts.js";

test("without locks, as here, whoever has not seen the last change is refused all the same", async () => {
  const storage = memoryStorage();
  const first = await newContext(storage);
  const second = await openContext({ storage, id: "talk" });

  await second.registerResult(returned("second"));

  await expect(first.registerResult(returned("first"))).rejects.toMatchObject({ code: "CONTEXT_CHANGED" });
  await expect(first.hold()).rejects.toMatchObject({ code: "CONTEXT_CHANGED" });
  await second.registerResult(returned("third"));
  expect(second.currentTurn?.artifacts.map(({ text }) => text)).toEqual(["second", "third"]);
});

test("without locks two can hold a context; the first to write goes on, and the other overwrites nothing", async () => {
  const storage = memoryStorage();
  const first = await newContext(storage);
  const second = await openContext({ storage, id: "talk" });
  await first.hold();
  await second.hold();

  await first.registerResult(returned("first"));
  await expect(second.registerResult(returned("second"))).rejects.toMatchObject({ code: "CONTEXT_CHANGED" });
  await expect(second.answer("Mine.")).rejects.toMatchObject({ code: "CONTEXT_CHANGED" });
  await first.registerResult(returned("third"));

  const { currentTurn } = await openContext({ storage, id: "talk" });
  expect(currentTurn?.artifacts.map(({ version, text }) => [version, text])).toEqual([
    [1, "first"],
    [2, "third"],
  ]);
  expect(currentTurn?.record.completion).toBeNull();
});

test("without locks, of two who write in the very same moment one is refused from then on", async () => {
  const storage = memoryStorage();
  const first = await newContext(storage);
  const second = await openContext({ storage, id: "talk" });
  await first.hold();
  await second.hold();
  const both = [first, second] as const;
  const change = (text: string): Promise<unknown> => Promise.allSettled(both.map((context) => context.answer(text)));

  await change("one");
  await change("two");

  const left = await Promise.allSettled(both.map((context) => context.answer("three")));
  expect(left.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("without locks the second of two loops that hold a context ends, and leaves the turn of the first whole", async () => {
  const storage = memoryStorage();
  await newContext(storage);
  const first = await openContext({ storage, id: "talk" });
  const second = await openContext({ storage, id: "talk" });
  const others = turnSession([]);
  // Both hold it before either begins its turn.
  const [beginFirst, beginSecond] = [first.beginTurn.bind(first), second.beginTurn.bind(second)];
  const secondHolds = new Promise<void>((holds) => {
    second.beginTurn = async (turn) => {
      holds();
      await firstWrote;
      return beginSecond(turn);
    };
  });
  const firstWrote = new Promise<void>((wrote) => {
    first.beginTurn = async (turn) => {
      await secondHolds;
      return beginFirst(turn).finally(wrote);
    };
  });

  const [kept, lost] = await Promise.all(
    [first, second].map((context) =>
      play({ session: others, model: scripted("model", decide("exit", "exit")), context }),
    ),
  );

  expect(lost?.result).toMatchObject({ exit: "error", error: { error: "CONTEXT_CHANGED" } });
  expect(kept?.result.exit).toBe("incomplete_contract");
  const { turnIds, currentTurn } = await openContext({ storage, id: "talk" });
  expect(turnIds).toEqual(["turn_1", kept?.result.turnId]);
  expect(currentTurn?.record.end?.exit).toBe("incomplete_contract");
});

test("a context is held by one, and changed by its holder; let go it is anybody's", async () => {
  const context = await newContext();

  const letGo = await context.hold();
  await expect(context.hold()).rejects.toMatchObject({ code: "CONTEXT_IN_USE" });
  await context.registerResult(returned("held"));
  await letGo();
  await context.registerResult(returned("free"));

  expect(context.currentTurn?.artifacts).toHaveLength(2);
  await (
    await context.hold()
  )();
});

test("a context of a release that counted no changes is read, and counts them from now on", async () => {
  const storage = memoryStorage();
  await newContext(storage);
  await storage.write(new Map([["contexts/talk/head", encodeText('{"record": 1, "current": "turn_1"}')]]));

  const first = await openContext({ storage, id: "talk" });
  const second = await openContext({ storage, id: "talk" });
  expect(first.currentTurn?.record.id).toBe("turn_1");
  await first.registerResult(returned("first"));

  await expect(second.registerResult(returned("second"))).rejects.toMatchObject({ code: "CONTEXT_CHANGED" });
});

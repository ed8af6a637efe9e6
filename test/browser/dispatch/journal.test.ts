import { expect, test } from "vitest";

import { Journal } from "../../../src/dispatch/index.js";
import { indexedDBStorage } from "../../../src/storage/index.js";
import { description, setUp, signal } from "../../lone-calls/dispatch-set-up.js";
import { freshName } from "../storage/fresh-name.js";

test("a call can be read back from IndexedDB by another life of the page", async () => {
  const name = freshName();
  const first = indexedDBStorage(name);
  const { dispatcher } = setUp({}, first);
  await dispatcher.dispatch(description(), () => Promise.resolve({ celsius: 4.5 }), { signal });
  const stuck = Promise.withResolvers<never>();
  const called = Promise.withResolvers<undefined>();
  void dispatcher.dispatch(
    description({ name: "stuck" }),
    () => {
      called.resolve(undefined);
      return stuck.promise;
    },
    { signal },
  );
  await called.promise;
  first.close();

  const entries = await new Journal(indexedDBStorage(name), { sessionId: "s" }).list();

  expect(entries).toMatchObject([
    { name: "echo.shout", arguments: { text: "hi" }, outcome: { kind: "ok", summary: { celsius: 4.5 } } },
    { name: "stuck", outcome: { kind: "unknown" } },
  ]);
});

test("5,000 read-only calls in a loop are all in IndexedDB, in a few writes", async () => {
  const name = freshName();
  const { dispatcher, journal } = setUp({}, indexedDBStorage(name));

  for (let index = 0; index < 5000; index += 1) {
    await dispatcher.dispatch(
      description({ arguments: { index }, hints: { readOnly: true } }),
      () => Promise.resolve(index),
      {
        signal,
      },
    );
  }
  await journal.flush();

  const entries = await new Journal(indexedDBStorage(name), { sessionId: "s" }).list({ limit: Infinity });
  expect(entries).toHaveLength(5000);
  expect(entries.every(({ outcome }) => outcome.kind === "ok")).toBe(true);
});

test("20 calls at once share their writes", async () => {
  const { dispatcher, journal } = setUp({}, indexedDBStorage(freshName()));

  const values = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      dispatcher.dispatch(description(), () => Promise.resolve(index), { signal }),
    ),
  );

  expect(values).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(journal.forRun("run-1").every(({ outcome }) => outcome.kind === "ok")).toBe(true);
});

test("of its own the dispatcher waits for nothing: a thousand read-only calls are over before the page does anything else", async () => {
  const { dispatcher } = setUp();
  const call = (): Promise<unknown> =>
    dispatcher.dispatch(description({ hints: { readOnly: true } }), () => Promise.resolve(1), { signal });
  const { port1, port2 } = new MessageChannel();
  const next = new Promise((resolve) => (port2.onmessage = resolve)).then(() => "the page's next task");

  port1.postMessage(null);
  const calls = (async () => {
    for (let index = 0; index < 1000; index += 1) await call();
    return "the calls";
  })();

  expect(await Promise.race([calls, next])).toBe("the calls");
  expect(await next).toBe("the page's next task");
});

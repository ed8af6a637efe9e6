import { beforeEach, expect, test } from "vitest";

import { indexedDBStorage } from "../../../src/storage/index.js";
import { Workspace, WorkspaceConflictError } from "../../../src/workspace/index.js";
import { freshName } from "../storage/fresh-name.js";

/** The workspace as each of two tabs has it: one database, a connection each. */
let tabs: readonly [Workspace, Workspace];

beforeEach(() => {
  const name = freshName();
  tabs = [new Workspace(indexedDBStorage(name)), new Workspace(indexedDBStorage(name))];
});

const text = (content: Uint8Array): string => new TextDecoder().decode(content);

test("of two tabs that change what both have read, one writes and the other hears of both versions", async () => {
  const [one, other] = tabs;
  await one.write("plan.md", "old");
  const [mine, theirs] = await Promise.all([one.readVersion("plan.md"), other.readVersion("plan.md")]);
  expect(mine).toEqual(theirs);

  const writes = await Promise.allSettled([
    one.write("plan.md", "one", { ifVersion: mine.version }),
    other.write("plan.md", "other", { ifVersion: theirs.version }),
  ]);

  const [refused] = writes.flatMap((write) => (write.status === "rejected" ? [write.reason as unknown] : []));
  const [written] = writes.flatMap((write) => (write.status === "fulfilled" ? [write.value] : []));
  expect(refused).toBeInstanceOf(WorkspaceConflictError);
  expect(refused).toMatchObject({ path: "plan.md", expected: mine.version, found: written?.version });
  const now = await one.readVersion("plan.md");
  expect(now.version).toBe(written?.version);
  expect(["one", "other"]).toContain(text(now.content));
});

test("of two tabs that make the same new file, one does", async () => {
  const writes = await Promise.allSettled(
    tabs.map((tab, index) => tab.write("new", String(index), { ifVersion: null })),
  );

  expect(writes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const winner = writes.findIndex(({ status }) => status === "fulfilled");
  expect(text(await tabs[0].read("new"))).toBe(String(winner));
});

test("counters in two files that both tabs raise together never part, and no step is lost", async () => {
  await tabs[0].writeAll(
    new Map([
      ["left", "0"],
      ["right", "0"],
    ]),
  );
  const raise = async (tab: Workspace): Promise<void> => {
    const [left, right] = await Promise.all([tab.readVersion("left"), tab.readVersion("right")]);
    const next = String(Number(text(left.content)) + 1);
    const ifVersion = new Map([
      ["left", left.version],
      ["right", right.version],
    ]);
    const files = new Map([
      ["left", next],
      ["right", next],
    ]);
    try {
      await tab.writeAll(files, { ifVersion });
    } catch (error) {
      expect(error).toBeInstanceOf(WorkspaceConflictError);
      await raise(tab);
    }
  };

  await Promise.all(Array.from({ length: 12 }, (_, index) => raise(tabs[index % 2] ?? tabs[0])));

  expect(text(await tabs[1].read("left"))).toBe("12");
  expect(text(await tabs[1].read("right"))).toBe("12");
});

test("a file that one tab deleted is not written back by the other", async () => {
  const [one, other] = tabs;
  const { version } = await one.write("draft", "old");
  await other.delete("draft");

  await expect(one.write("draft", "late", { ifVersion: version })).rejects.toMatchObject({ found: null });

  expect(await other.list()).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { indexedDBStorage, Session, type Value } from "../../../src/index.js";
import { sealedFrameHost } from "../../../src/executor/index.js";
import { FileSearch } from "../../../src/file-tools/index.js";

let session: Session;

const grep = (args: Record<string, Value>): Promise<Value> => session.client().callTool("grep_files", args);

beforeAll(async () => {
  session = await Session.open({ storage: indexedDBStorage("grep-files"), fileTools: true });
  for (const { path } of await session.workspace.list()) await session.workspace.delete(path);
  for (const path of ["one.rs", "two.rs", "three.rs", "notes.txt", "ignored/four.rs"]) {
    await session.workspace.write(`src/${path}`, `first\nalpha in ${path}\n`);
    // A time of its own for each.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await session.workspace.write(".gitignore", "ignored/\n");
});
afterAll(async () => {
  await session.close();
});

test("of the files with a match two at most, those of the glob, the newest first (X74)", async () => {
  expect(await grep({ pattern: "alpha", include: "*.rs", limit: 2 })).toBe(
    "/workspace/src/three.rs\n/workspace/src/two.rs",
  );
  expect(await grep({ pattern: "^alpha" })).toBe(
    ["notes.txt", "three.rs", "two.rs", "one.rs"].map((name) => `/workspace/src/${name}`).join("\n"),
  );
  expect(await grep({ pattern: "alpha", path: "/workspace/src/ignored" })).toBe("/workspace/src/ignored/four.rs");
  expect(await grep({ pattern: "alpha", path: "src/one.rs" })).toBe("/workspace/src/one.rs");
});

test("no match is said, a blank pattern and one that is none are refused (X75)", async () => {
  expect(await grep({ pattern: "omega" })).toBe("No matches found.");
  await expect(grep({ pattern: "  " })).rejects.toMatchObject({ reason: "pattern must not be empty" });
  await expect(grep({ pattern: "(" })).rejects.toMatchObject({
    reason: expect.stringMatching(/^rg failed: regex parse error: /),
  });
  await expect(grep({ pattern: "a", limit: 0 })).rejects.toMatchObject({ reason: "limit must be greater than zero" });
  await expect(grep({ pattern: "a", path: "/workspace/none" })).rejects.toMatchObject({
    reason: "unable to access `/workspace/none`: No such file or directory (os error 2)",
  });
  await expect(grep({ pattern: "a", path: "/etc" })).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
});

test("a file that was changed is searched as it is now, and one that is gone is not", async () => {
  await session.workspace.write("changing.txt", "beta");
  expect(await grep({ pattern: "beta" })).toBe("/workspace/changing.txt");

  await session.workspace.write("changing.txt", "gamma");

  expect(await grep({ pattern: "beta" })).toBe("No matches found.");
  expect(await grep({ pattern: "gamma" })).toBe("/workspace/changing.txt");
  await session.workspace.delete("changing.txt");
  expect(await grep({ pattern: "gamma" })).toBe("No matches found.");
});

describe("an expression that never comes to an end", () => {
  const file = { path: "a.txt", version: "1", size: 41 };
  const hostile = {
    pattern: "^(a+)+$",
    include: null,
    below: "",
    limit: 1,
    files: [file],
    read: () => Promise.resolve([new TextEncoder().encode(`${"a".repeat(40)}!`)]),
  };

  test("is ended with the protocol's text, while the page goes on, and the next search is made", async () => {
    const search = new FileSearch(sealedFrameHost(), { limit: 500 });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 20);

    await expect(search.search(hostile, new AbortController().signal)).rejects.toThrow(
      "rg timed out after 0.5 seconds",
    );

    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
    const next = search.search({ ...hostile, pattern: "a+!" }, new AbortController().signal);
    expect(await next).toEqual(["a.txt"]);
    search.stop("the test is over");
  });

  test("is ended when nobody waits for it any more", async () => {
    await session.workspace.write("hostile.txt", `${"a".repeat(40)}!`);
    const giveUp = new AbortController();

    const searching = session.client().callTool("grep_files", { pattern: "^(a+)+$" }, { signal: giveUp.signal });
    setTimeout(() => {
      giveUp.abort();
    }, 300);

    await expect(searching).rejects.toThrow("was given up");
    expect(await grep({ pattern: "a!" })).toBe("/workspace/hostile.txt");
    await session.workspace.delete("hostile.txt");
  });
});

test("a thousand files are searched, and again from what is kept of them", async () => {
  const line = "line of text with some words in it\n".repeat(290);
  for (let number = 0; number < 1000; number += 1) {
    const path = `many/d${String(number % 20)}/f${String(number)}.txt`;
    await session.workspace.write(path, number % 50 === 0 ? `${line}needle` : line);
  }

  const first = await grep({ pattern: "n[e]+dle$", path: "many" });

  expect(first).toMatch(/^\/workspace\/many\/d10\/f950\.txt\n(?:.+\n){18}.+f0\.txt$/);
  expect(await grep({ pattern: "n[e]+dle$", path: "many" })).toBe(first);
});

test("a search that has found enough leaves nothing to the next one, though more was on its way", async () => {
  for (let round = 0; round < 5; round += 1) {
    expect(await grep({ pattern: "line of", path: "many", limit: 1 })).toMatch(/^\/workspace\/many\/d\d+\/f\d+\.txt$/);
    await session.workspace.write(`many/d0/f${String(round)}.txt`, `line of round ${String(round)}`);
    expect(await grep({ pattern: `round ${String(round)}$`, path: "many" })).toBe(
      `/workspace/many/d0/f${String(round)}.txt`,
    );
  }
});

test("several who ask at once for a search after the worker was ended are all answered", async () => {
  const search = new FileSearch(sealedFrameHost());
  const file = { path: "b.txt", version: "1", size: 4 };
  const order = {
    ...{ pattern: "beta", include: null, below: "", limit: 1, files: [file] },
    read: () => Promise.resolve([new TextEncoder().encode("beta")]),
  };
  const { signal } = new AbortController();
  expect(await search.search(order, signal)).toEqual(["b.txt"]);
  search.stop("the test asks for it");

  search.prepare();
  search.prepare();

  expect(await Promise.all([search.search(order, signal), search.search(order, signal)])).toEqual([
    ["b.txt"],
    ["b.txt"],
  ]);
  search.stop("the test is over");
});

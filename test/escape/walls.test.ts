import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { launchDriver, type DrivenPage, type Driver } from "./drivers/index.js";
import { openPass } from "./suite.js";
import { knownTitles, notices } from "./walls/failing-without.js";
import { readPage, readRecord, sectionOf, sections } from "./walls/record.js";
import { edited } from "./walls/take-away.js";
import { walls } from "./walls/walls.js";

/** Tries by which an attempt comes through where a wall is gone: some have to win a race first. */
const TRIES = 3;

const root = fileURLToPath(new URL("../..", import.meta.url));

const noticed = walls.flatMap(({ name, noticedBy }) => (noticedBy === null ? [] : [{ name, noticedBy }]));

describe("without a wall, in Chromium", () => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await launchDriver("chromium");
  });
  afterAll(async () => {
    await driver.close();
  });

  test.each(noticed)("the $name is noticed by: $noticedBy", async ({ name, noticedBy }) => {
    const pass = await openPass(shared(driver), inject("wallsPage"), { without: name });
    try {
      let isNoticed = false;
      for (let tries = 0; tries < TRIES && !isNoticed; tries += 1) isNoticed = await notices(pass, noticedBy);
      expect(isNoticed).toBe(true);
    } finally {
      await pass.close();
    }
  });

  test("with all walls none of these attempts is", async () => {
    const pass = await openPass(shared(driver), inject("wallsPage"));
    try {
      const failing = [];
      for (const { noticedBy } of noticed) if (await notices(pass, noticedBy)) failing.push(noticedBy);

      expect(failing).toEqual([]);
    } finally {
      await pass.close();
    }
  });
});

test.each(walls.flatMap(({ name, edits }) => edits.map((edit) => ({ name, edit }))))(
  "the source still has what the $name is taken away by: $edit.file",
  async ({ edit: { file } }) => {
    const own = walls.flatMap(({ edits }) => edits).filter((edit) => edit.file === file);

    const source = await readFile(join(root, file), "utf8");

    expect(own.reduce(edited, source)).not.toBe(source);
  },
);

test("an edit whose text is gone, or is there more often, is an error", () => {
  const edit = { file: "x.ts", find: "wall", replace: "" };
  expect(() => edited("no such text", edit)).toThrow("0 times");
  expect(() => edited("wall wall", edit)).toThrow("2 times");
});

test("nothing that ships knows how to take a wall away", async () => {
  const switches = /withoutLockDown|take-away|\.get\(["'`]without["'`]\)/;
  const sources = ["vite.config.ts", ...(await filesOf("src")), ...(await filesOf("worker"))];
  const built = (await readdir(join(inject("escapePage"), "assets"))).map((name) =>
    join(inject("escapePage"), "assets", name),
  );
  const walled = (await readdir(join(inject("wallsPage"), "assets"))).map((name) =>
    join(inject("wallsPage"), "assets", name),
  );

  expect(await holding([...sources.map((file) => join(root, file)), ...built], switches)).toEqual([]);
  expect(await holding(walled, switches)).not.toEqual([]);
});

test("the threat model's tables are those of the last run", async () => {
  const page = await readPage();

  for (const [name, content] of sections(await readRecord())) expect(words(sectionOf(page, name))).toBe(words(content));
});

test("the last run took away each wall that there is, and names tests that there are", async () => {
  const { chromium } = await readRecord();
  const known = knownTitles();

  expect(Object.keys(chromium?.failing ?? {})).toEqual(walls.map(({ name }) => name));
  expect(
    Object.values(chromium?.failing ?? {})
      .flat()
      .filter((title) => !known.has(title)),
  ).toEqual([]);
  for (const { name, noticedBy } of noticed) expect(chromium?.failing[name]).toContain(noticedBy);
});

/** A browser that several passes use, one after the other. */
function shared(driver: Driver): Driver {
  const opened: DrivenPage[] = [];
  return {
    ...driver,
    openPage: async (url) => {
      const page = await driver.openPage(url);
      opened.push(page);
      return page;
    },
    close: async () => {
      for (const page of opened.splice(0)) await page.close();
    },
  };
}

/** Without what the formatter may lay out in another way. */
function words(text: string): string {
  return text.replaceAll(/[\s|]+|-{3,}/g, " ").trim();
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const all = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(root.length));
}

async function holding(files: readonly string[], pattern: RegExp): Promise<readonly string[]> {
  const found = [];
  for (const file of files) if (pattern.test(await readFile(file, "utf8"))) found.push(file);
  return found;
}

import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const folder = new URL("../../../src/ui/", import.meta.url);
const pages = [new URL("../../../index.html", import.meta.url)].concat(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|yaml)$/.test(path))
    .map((path) => new URL(path, folder)),
);

/** What a file may have on the page: without its comments, in one line, once with its markup and once without. */
const texts = pages.map((page) => {
  const source = readFileSync(page, "utf8").replaceAll(/\/\*[^]*?\*\/|<!--[^]*?-->|(?<=^|\s)\/\/.*$/gm, "");
  const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").toLowerCase();
  const bare = source.replaceAll(/<\/?[a-z][^>]*>/g, "");
  return { page: page.pathname.split("/").at(-1), text: `${inOneLine(source)}\n${inOneLine(bare)}` };
});
const pagesThatSay = (words: string): (string | undefined)[] =>
  texts.filter(({ text }) => text.includes(words.toLowerCase())).map(({ page }) => page);

test.each([
  ["Ask, and watch Python do it", "An AI writes Python. Your browser runs it."],
  ["wants your word", "needs your approval"],
  ["wants you to look first", "needs you to look first"],
  ["Made twice it has the effect of once", "Calling it twice has the same effect as calling it once."],
  ["keeps in mind", "The agent's notes"],
  ["Tried in vain", "Tried without success"],
  ["Stand alone instead", "Start fresh instead"],
  ["stands alone", "starts fresh"],
  // The bar names what code can reach, not how its calls travel.
  ["trust}</b> ·", "reach[capabilities.trust]}</b>"],
])("the demo does not say %j any more but %j", (old, plain) => {
  expect(pagesThatSay(old)).toEqual([]);
  expect(pagesThatSay(plain)).not.toEqual([]);
});

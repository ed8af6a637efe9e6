import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { walls } from "../../escape/walls/walls.js";
import { edits, reports } from "../../load/bounds.js";

const all = [...walls.flatMap(({ edits: ofWall }) => ofWall), ...edits, ...reports];

// The builds without a wall or a bound fail over it as well, minutes later.
test.each(all)("$file holds the line $find as often as is said", ({ file, find, times = 1 }) => {
  const source = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

  expect(source.split(find)).toHaveLength(times + 1);
});

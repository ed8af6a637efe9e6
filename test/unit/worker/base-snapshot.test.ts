import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { BASE_SNAPSHOT_FILE } from "../../../worker/vite-plugin-base-snapshot.js";

test("the base snapshot holds no path of the machine that made it", () => {
  const snapshot = gunzipSync(readFileSync(BASE_SNAPSHOT_FILE));
  const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/[\\/]$/, "");

  expect(snapshot.includes("site-packages/vitrine")).toBe(true);
  const paths = [root, process.execPath, process.argv[1] ?? root];

  expect(paths.filter((path) => snapshot.includes(path))).toEqual([]);
});

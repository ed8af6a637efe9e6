import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { VERSION } from "../../../src/protocol/index.js";

test("the version that others are told is that of the package", () => {
  const packed = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as unknown;

  expect(packed).toMatchObject({ version: VERSION });
});

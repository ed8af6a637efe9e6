import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { VERSION } from "../../../../src/ui/widget/shared/version.js";

test("the version of the widget is that of the package", () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"));
  expect(manifest).toMatchObject({ version: VERSION });
});

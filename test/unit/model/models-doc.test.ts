import { expect, test } from "vitest";

import page from "../../../docs/models.md?raw";
import * as errors from "../../../src/index.js";

test("docs/models.md names every error that a model ends in", () => {
  const names = Object.keys(errors).filter((name) => /^Model\w+Error$/.test(name) && name !== "ModelError");

  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(names).toHaveLength(13);
});

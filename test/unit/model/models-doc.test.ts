import { expect, test } from "vitest";

import page from "../../../docs/models.md?raw";
import * as errors from "../../../src/index.js";
import { ask } from "./models-sample.js";
import sample from "./models-sample.ts?raw";
import { KEY, ServedModel } from "./served-model.js";

const served = new ServedModel();

test("docs/models.md shows the sample that runs here", async () => {
  served.answer = () => ({ kind: "reply", text: "5" });
  const [, shown = ""] = /\/\/ #region ask\n([^]*?)\/\/ #endregion/.exec(sample) ?? [];

  expect(shown.length).toBeGreaterThan(100);
  expect(page).toContain(shown.replace("../../../src/index.js", "vitrine").replace("export async", "async"));
  expect(await ask(served.server.baseURL(), KEY)).toBe("5");
});

test("docs/models.md names every error that a model ends in", () => {
  const names = Object.keys(errors).filter((name) => /^Model\w+Error$/.test(name) && name !== "ModelError");

  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(names).toHaveLength(13);
});

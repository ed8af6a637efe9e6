import { expect, test } from "vitest";

import { encodeText, memoryStorage } from "../../../src/storage/index.js";
import { readToolFiles } from "../../../src/tools/index.js";

test("tool files are the .yaml files directly in tools/, and one that is no text is a problem", async () => {
  const storage = memoryStorage();
  await storage.write(
    new Map([
      ["tools/b.yaml", encodeText("b")],
      ["tools/a.yaml", encodeText("a")],
      ["tools/c.yml", encodeText("c")],
      ["tools/sub/d.yaml", encodeText("d")],
      ["tools/e.yaml", new Uint8Array([255, 254])],
      ["skills/f.yaml", encodeText("f")],
    ]),
  );

  const { sources, problems } = await readToolFiles(storage);

  expect(sources).toEqual([
    { file: "tools/a.yaml", text: "a" },
    { file: "tools/b.yaml", text: "b" },
  ]);
  expect(problems).toMatchObject([{ file: "tools/e.yaml", code: "STORAGE_READ" }]);
});

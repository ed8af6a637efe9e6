import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

import { engineOf } from "../../packages-check/engine-of.js";
import { parseResult, readResults } from "../../packages-check/read-results.js";
import { median } from "../../packages-check/result.js";
import { checkResult, known, packageResult } from "./results.js";

test("a result is read as it was written, and what is none says why", () => {
  const result = checkResult();

  expect(parseResult(JSON.stringify(result))).toEqual(result);
  expect(parseResult("{")).toBe("it is no JSON");
  expect(parseResult(JSON.stringify({ ...result, date: "yesterday" }))).toContain("date");
  expect(parseResult(JSON.stringify({ ...result, more: 1 }))).toContain("more");
  expect(parseResult(JSON.stringify("x".repeat(2_000_000)))).toContain("larger than");
});

test("the results of a folder are refused together where one is no good, each with its reason", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-results-"));
  try {
    const put = (name: string, content: unknown): Promise<void> =>
      writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    await put("good.json", checkResult());
    await put("notes.md", "Not a result.");
    const read = (): Promise<unknown> => readResults(pathToFileURL(`${folder}/`), known);

    expect(await read()).toEqual([{ file: "good.json", result: checkResult() }]);

    await put("bad.json", "{");
    await put("foreign.json", checkResult({ packages: [packageResult({ source: "pyodide" })] }));
    await expect(read()).rejects.toMatchObject({
      problems: [
        "bad.json: it is no JSON",
        "foreign.json: first_thing-1.0-py3-none-any.whl is not in the list of pyodide.",
      ],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the engine is read from the user agent", () => {
  const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.0 Safari/605.1.15";

  expect(engineOf("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0")).toBe("Firefox 153");
  expect(engineOf("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36")).toBe(
    "Chromium 156",
  );
  expect(engineOf(`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit}`)).toBe("Safari 27.0");
  expect(engineOf(`Mozilla/5.0 (X11; Linux x86_64) ${webkit}`)).toBe("WebKitGTK");
  expect(engineOf("something else")).toBe("another engine");
});

test("the median is the number in the middle", () => {
  expect(median([30, 10, 20])).toBe(20);
  expect(median([10, 20])).toBe(15);
  expect(median([])).toBeNull();
});

import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { z } from "zod";

import { chooseFile } from "../../../src/deps/resolution/choose-file.js";
import { PLATFORM, PYTHON_VERSION } from "../../../src/deps/interpreter.js";
import { parseRequirement } from "../../../src/deps/resolution/requirement.js";
import { rankOf } from "../../../src/deps/wheel-tags.js";
import { sourceOf } from "./listed-source.js";

const compiled = `cp314-cp314-${PLATFORM}`;

test("the tags are those of the Pyodide that is shipped", () => {
  const lockfile: unknown = JSON.parse(readFileSync("node_modules/pyodide/pyodide-lock.json", "utf8"));
  const { info } = z
    .object({ info: z.object({ abi_version: z.string(), arch: z.string(), python: z.string() }) })
    .parse(lockfile);

  expect(PLATFORM).toBe(`pyemscripten_${info.abi_version}_${info.arch}`);
  expect(PYTHON_VERSION).toBe(info.python);
});

describe("what a wheel is built for", () => {
  test.each([
    compiled,
    `cp314-abi3-${PLATFORM}`,
    `cp38-abi3-${PLATFORM}`,
    `cp39.cp310-abi3-manylinux_2_17_x86_64.${PLATFORM}`,
    `py3-none-${PLATFORM}`,
    "py3-none-any",
    "py2.py3-none-any",
    "py314-none-any",
    "py39-none-any",
    "cp314-none-any",
  ])("%s runs here", (tag) => {
    expect(rankOf(tag)).not.toBeNull();
  });

  test.each([
    `cp313-cp313-${PLATFORM}`,
    `cp315-abi3-${PLATFORM}`,
    `cp314-cp314t-${PLATFORM}`,
    "cp314-cp314-pyodide_2025_0_wasm32",
    "cp314-cp314-manylinux_2_17_x86_64",
    "py2-none-any",
    "py315-none-any",
    "",
  ])("%s does not", (tag) => {
    expect(rankOf(tag)).toBeNull();
  });
});

describe("of the files of a source", () => {
  const choose = async (spec: string, ...files: string[]): Promise<string> => {
    const requirement = parseRequirement(spec);
    if (requirement === null) throw new TypeError(`${spec} is no requirement.`);
    return (await chooseFile(await sourceOf(files).find(requirement.name), [{ requirement, by: null }])).filename;
  };

  test("the newest comes that satisfies and runs here", async () => {
    const files = [
      "a-1.0-py3-none-any.whl",
      "a-2.0-py3-none-any.whl",
      "a-3.0-cp313-cp313-win32.whl",
      "b-9-py3-none-any.whl",
    ];

    expect(await choose("a", ...files)).toBe("a-2.0-py3-none-any.whl");
    expect(await choose("a<2", ...files)).toBe("a-1.0-py3-none-any.whl");
  });

  test("one that is compiled for this interpreter comes before one for any", async () => {
    const files = ["a-1.0-py3-none-any.whl", `a-1.0-cp38-abi3-${PLATFORM}.whl`, `a-1.0-${compiled}.whl`];

    expect(await choose("a", ...files)).toBe(`a-1.0-${compiled}.whl`);
    expect(await choose("a", ...files.slice(0, 2))).toBe(`a-1.0-cp38-abi3-${PLATFORM}.whl`);
  });

  test("a build number and other spellings of the name are read", async () => {
    expect(await choose("Zope.Interface", "zope_interface-8.0-1-py3-none-any.whl")).toBe(
      "zope_interface-8.0-1-py3-none-any.whl",
    );
  });

  test("what is missing is said", async () => {
    await expect(choose("a", "a-1.0-cp314-cp314-win32.whl")).rejects.toThrow(
      `nothing of it runs here, which takes ${compiled} or py3-none-any. There is a-1.0-cp314-cp314-win32.whl.`,
    );
    await expect(choose("a>=3", "a-2.0-py3-none-any.whl", "a-1.0-py3-none-any.whl")).rejects.toThrow("only 1.0, 2.0");
    await expect(choose("a", "a-1.0.tar.gz")).rejects.toThrow(
      "only as source, which would have to be compiled first: a-1.0.tar.gz.",
    );
  });

  test("one that is installed stays where it is good for all", async () => {
    const files = await sourceOf(["a-1.0-py3-none-any.whl", "a-2.0-py3-none-any.whl"]).find("a");
    const chosen = async (spec: string): Promise<string | undefined> => {
      const requirement = parseRequirement(spec);
      return requirement === null ? undefined : (await chooseFile(files, [{ requirement, by: null }], "1.0")).version;
    };

    expect(await chosen("a")).toBe("1.0");
    expect(await chosen("a>1")).toBe("2.0");
  });

  test("one that was withdrawn comes only for those who ask for that version", async () => {
    const [first, second] = await sourceOf(["a-1.0-py3-none-any.whl", "a-2.0-py3-none-any.whl"]).find("a");
    if (first === undefined || second === undefined) throw new TypeError("There are two files.");
    const files = [first, { ...second, yanked: true }];
    const chosen = async (spec: string): Promise<string | undefined> => {
      const requirement = parseRequirement(spec);
      return requirement === null ? undefined : (await chooseFile(files, [{ requirement, by: null }])).version;
    };

    expect(await chosen("a")).toBe("1.0");
    expect(await chosen("a==2.0")).toBe("2.0");
    await expect(chosen("a>=2")).rejects.toThrow("has only 1.0");
  });
});

import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { z } from "zod";

import { chooseWheel } from "../../../src/deps/choose-wheel.js";
import { PLATFORM, PYTHON_VERSION } from "../../../src/deps/interpreter.js";
import { readRequirement } from "../../../src/deps/requirement.js";
import { rankOf } from "../../../src/deps/wheel-tags.js";

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

describe("of the wheels in a folder", () => {
  const choose = (spec: string, ...files: string[]): string => {
    const requirement = readRequirement(spec);
    return chooseWheel(files, requirement.name, [{ requirement, by: null }], spec).filename;
  };

  test("the newest comes that satisfies and runs here", () => {
    const files = [
      "a-1.0-py3-none-any.whl",
      "a-2.0-py3-none-any.whl",
      "a-3.0-cp313-cp313-win32.whl",
      "b-9-py3-none-any.whl",
    ];

    expect(choose("a", ...files)).toBe("a-2.0-py3-none-any.whl");
    expect(choose("a<2", ...files)).toBe("a-1.0-py3-none-any.whl");
  });

  test("one that is compiled for this interpreter comes before one for any", () => {
    const files = ["a-1.0-py3-none-any.whl", `a-1.0-cp38-abi3-${PLATFORM}.whl`, `a-1.0-${compiled}.whl`];

    expect(choose("a", ...files)).toBe(`a-1.0-${compiled}.whl`);
    expect(choose("a", ...files.slice(0, 2))).toBe(`a-1.0-cp38-abi3-${PLATFORM}.whl`);
  });

  test("a build number and other spellings of the name are read", () => {
    expect(choose("Zope.Interface", "zope_interface-8.0-1-py3-none-any.whl")).toBe(
      "zope_interface-8.0-1-py3-none-any.whl",
    );
  });

  test("what is missing is said", () => {
    expect(() => choose("a", "b-1.0-py3-none-any.whl")).toThrow(
      `a cannot be installed: the package folder has no wheel of that name. Put a wheel for ${compiled} or py3-none-any there`,
    );
    expect(() => choose("a", "a-1.0-cp314-cp314-win32.whl")).toThrow("There is a-1.0-cp314-cp314-win32.whl.");
    expect(() => choose("a>=3", "a-2.0-py3-none-any.whl", "a-1.0-py3-none-any.whl")).toThrow("only 1.0, 2.0");
  });
});

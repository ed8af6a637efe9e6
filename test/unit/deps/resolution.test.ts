import { describe, expect, test } from "vitest";

import { parseRequirement, type Requirement } from "../../../src/deps/resolution/requirement.js";
import { Resolution } from "../../../src/deps/resolution/resolution.js";
import { sourceOf } from "./listed-source.js";

/** Wheels by `name-version`, with what each needs. */
type Wheels = Readonly<Record<string, readonly string[]>>;

function requirementOf(spec: string): Requirement {
  const requirement = parseRequirement(spec);
  if (requirement === null) throw new TypeError(`${spec} is no requirement.`);
  return requirement;
}

/** Resolves packages together, over sources that are asked in their order. */
async function resolveTogether(
  specs: readonly string[],
  sources: readonly Wheels[],
  installed: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const needs = Object.assign({}, ...sources) as Wheels;
  const resolution = new Resolution({
    roots: specs.map(requirementOf),
    sources: sources.map((wheels) => sourceOf(Object.keys(wheels).map((wheel) => `${wheel}-py3-none-any.whl`))),
    installed: new Map(Object.entries(installed)),
    readNeeds: ({ filename }) => Promise.resolve(needs[filename.replace("-py3-none-any.whl", "")] ?? []),
  });
  const found = await resolution.resolve();
  return [...found.values()].map(({ file }) => file.filename.replace("-py3-none-any.whl", "")).sort();
}

async function resolve(spec: string, wheels: Wheels): Promise<string[]> {
  return resolveTogether([spec], [wheels]);
}

describe("packages are resolved", () => {
  test("with all that they need, once, also in a circle", async () => {
    const wheels = { "a-1": ["b >=1", "c; os_name == 'nt'"], "b-1": ["A", "d"], "d-2": [], "c-1": [] };

    expect(await resolve("a", wheels)).toEqual(["a-1", "b-1", "d-2"]);
  });

  test("with the optional parts that are wanted, by whoever wants them", async () => {
    const wheels = { "a-1": ["b; extra == 'more'"], "b-1": [], "c-1": ["a", "d"], "d-1": ["a[more]"] };

    expect(await resolve("a", wheels)).toEqual(["a-1"]);
    expect(await resolve("a[more]", wheels)).toEqual(["a-1", "b-1"]);
    expect(await resolve("c", wheels)).toEqual(["a-1", "b-1", "c-1", "d-1"]);
  });

  test("to the newest version that all can use, and what an unused one needed is left out", async () => {
    const wheels = {
      "a-1": ["b", "c"],
      "b-2": ["only-for-b2"],
      "b-1": [],
      "c-1": ["b<2"],
      "only_for_b2-1": ["and-that"],
      "and_that-1": [],
    };

    expect(await resolve("a", wheels)).toEqual(["a-1", "b-1", "c-1"]);
  });

  test("together with the other packages of the session", async () => {
    const wheels = { "a-1": ["b"], "b-1": [], "b-2": [], "z-1": ["b<2"] };

    expect(await resolveTogether(["a", "b==1"], [wheels])).toEqual(["a-1", "b-1"]);
    expect(await resolveTogether(["a", "z"], [wheels])).toEqual(["a-1", "b-1", "z-1"]);
  });

  test("to what is installed, where that is good for all", async () => {
    const wheels = { "a-1": ["b"], "b-1": [], "b-2": [], "c-1": ["b>1"] };

    expect(await resolveTogether(["a"], [wheels], { b: "1" })).toEqual(["a-1", "b-1"]);
    expect(await resolveTogether(["a", "c"], [wheels], { b: "1" })).toEqual(["a-1", "b-2", "c-1"]);
  });

  test("each from the first source that has anything of it, however old", async () => {
    const first = { "a-1": ["b"], "b-1": [] };
    const second = { "a-2": [], "b-2": [], "c-1": ["a"] };

    expect(await resolveTogether(["a"], [first, second])).toEqual(["a-1", "b-1"]);
    expect(await resolveTogether(["c"], [first, second])).toEqual(["a-1", "b-1", "c-1"]);
    await expect(resolveTogether(["a>=2"], [first, second])).rejects.toThrow("the package folder has only 1.");
  });

  test("to releases, unless a preview is asked for or nothing else is there", async () => {
    const wheels = { "a-1.0": [], "a-2.0rc1": [], "b-1.0a1": [] };

    expect(await resolve("a", wheels)).toEqual(["a-1.0"]);
    expect(await resolve("a>=2.0rc1", wheels)).toEqual(["a-2.0rc1"]);
    expect(await resolve("b", wheels)).toEqual(["b-1.0a1"]);
  });

  test("or it is said who wants what", async () => {
    const wheels = { "a-1": ["b", "c>=1"], "b-1": ["d<2"], "c-1": ["d>=2"], "d-1": [], "d-2": [] };

    await expect(resolve("a", wheels)).rejects.toThrow(
      "b 1 needs d<2: no version is good for all who want it: b 1 wants d<2, c 1 wants d>=2. The package folder has 1, 2.",
    );
    await expect(resolve("a", { "a-1": ["b"] })).rejects.toThrow(
      "a 1 needs b: the package folder has nothing of that name. Put a wheel there.",
    );
    await expect(resolveTogether(["a"], [{}, {}])).rejects.toThrow(
      "no source has a package of that name. Asked were the package folder (http://127.0.0.1/wheels/), the package folder",
    );
    await expect(resolve("a", { "a-1": ["b>=3"], "b-1": [] })).rejects.toThrow(
      "a 1 needs b>=3: the package folder has only 1.",
    );
  });
});

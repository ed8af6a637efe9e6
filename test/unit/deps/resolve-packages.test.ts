import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";

import { resolvePackages, type PackageSource } from "../../../src/deps/resolve-packages.js";

/** Wheels by `name-version`, with what each needs. */
function source(wheels: Readonly<Record<string, readonly string[]>>): PackageSource & { readonly fetched: string[] } {
  const fetched: string[] = [];
  return {
    fetched,
    list: () => Promise.resolve(Object.keys(wheels).map((wheel) => `${wheel}-py3-none-any.whl`)),
    fetch: (filename) => {
      fetched.push(filename);
      const requires = wheels[filename.replace("-py3-none-any.whl", "")] ?? [];
      const metadata = [
        "Metadata-Version: 2.4",
        "Name: x",
        ...requires.map((line) => `Requires-Dist: ${line}`),
        "",
        "",
      ];
      return Promise.resolve(new Uint8Array(zipSync({ "x-1.dist-info/METADATA": strToU8(metadata.join("\r\n")) })));
    },
  };
}

async function resolve(
  spec: string,
  wheels: Readonly<Record<string, readonly string[]>>,
  ...others: string[]
): Promise<string[]> {
  const files = await resolvePackages(spec, others, source(wheels));
  return files.map(({ filename }) => filename.replace("-py3-none-any.whl", "")).sort();
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

  test("to what goes with the other packages of the session, which do not come along", async () => {
    const wheels = { "a-1": ["b"], "b-1": [], "b-2": [], "z-1": [] };

    expect(await resolve("a", wheels, "b==1", "z")).toEqual(["a-1", "b-1"]);
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
      "a cannot be installed: b 1 needs d<2: no version is good for all who want it: b 1 wants d<2, c 1 wants d>=2. The package folder has 1, 2.",
    );
    await expect(resolve("d", wheels, "d>=2", "e")).resolves.toEqual(["d-2"]);
    await expect(resolve("a", { "a-1": ["b"] })).rejects.toThrow(
      "a cannot be installed: a 1 needs b: the package folder has no wheel of that name.",
    );
    await expect(resolve("a", { "a-1": ["b>=3"], "b-1": [] })).rejects.toThrow(
      "a 1 needs b>=3: the package folder has only 1.",
    );
  });

  test("or it is said that a wheel, or what is asked for, cannot be read", async () => {
    const damaged = { ...source({ "a-1": [] }), fetch: () => Promise.resolve(new Uint8Array(100)) };

    await expect(resolvePackages("a", [], damaged)).rejects.toMatchObject({ code: "DEP_UNAVAILABLE" });
    await expect(resolve("a>=no.version", { "a-1": [] })).rejects.toMatchObject({ code: "DEP_UNAVAILABLE" });
    await expect(resolve("a", { "a-1": [] }, "b>=no.version")).resolves.toEqual(["a-1"]);
  });

  test("and no wheel is fetched twice", async () => {
    const wheels = source({ "a-1": ["b", "c"], "b-1": ["c"], "c-1": ["b"] });

    await resolvePackages("a", [], wheels);

    expect(wheels.fetched.sort()).toEqual(["a-1-py3-none-any.whl", "b-1-py3-none-any.whl", "c-1-py3-none-any.whl"]);
  });
});

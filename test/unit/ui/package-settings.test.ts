import { expect, test } from "vitest";

import { DEFAULT_PACKAGES, packageSources } from "../../../src/ui/state/session/package-settings.js";
import { PackageAddressError, readPackages } from "../../../src/ui/state/session/read-packages.js";
import { DEFAULT_SETTINGS, restartNote, Settings, type KeyValueStore } from "../../../src/ui/state/session/settings.js";

test("the folder that comes with the page is always first, and alone where nothing is set", () => {
  expect(packageSources(DEFAULT_PACKAGES)).toEqual([{ folder: "packages/" }]);
  expect(packageSources({ ...DEFAULT_PACKAGES, pyodide: true })).toEqual([
    { folder: "packages/" },
    { lockfile: "pyodide" },
  ]);
  expect(
    packageSources({
      pyodide: true,
      mirror: "https://mirror.example.org/",
      index: "https://index.example.org/simple/",
      indexHosts: "files.example.org, more.example.org",
    }),
  ).toEqual([
    { folder: "packages/" },
    { lockfile: "pyodide", files: "https://mirror.example.org/" },
    { index: "https://index.example.org/simple/", hosts: ["files.example.org", "more.example.org"] },
  ]);
});

test("a mirror is not used while Pyodide's packages are off", () => {
  expect(packageSources({ ...DEFAULT_PACKAGES, mirror: "https://mirror.example.org/" })).toHaveLength(1);
});

test.each(["mirror", "index"] as const)("an address of the %s that nothing can be fetched from is refused", (field) => {
  for (const address of ["mirror.example.org", "ftp://a.example.org/", "javascript:alert(1)"]) {
    expect(() => readPackages({ ...DEFAULT_PACKAGES, [field]: address })).toThrow(PackageAddressError);
  }
  expect(readPackages({ ...DEFAULT_PACKAGES, [field]: "  https://a.example.org/ " })[field]).toBe(
    "https://a.example.org/",
  );
});

test("packages are kept, and what cannot be an address is none", () => {
  let kept = "null";
  const store: KeyValueStore = { getItem: () => kept, setItem: (_, text) => void (kept = text) };
  const packages = { pyodide: true, mirror: "https://m.example.org/", index: "", indexHosts: "" };
  new Settings(() => store).save({ ...DEFAULT_SETTINGS, packages });
  expect(new Settings(() => store).current.packages).toEqual(packages);

  kept = kept.replace("https://m.example.org/", "nonsense");
  expect(new Settings(() => store).current.packages).toEqual({ ...packages, mirror: "" });
});

test("a change of what Python is opened with says why it starts again, and no other does", () => {
  const packages = { ...DEFAULT_PACKAGES, pyodide: true };

  expect(restartNote(DEFAULT_SETTINGS, { ...DEFAULT_SETTINGS, model: "m" })).toBeNull();
  expect(restartNote(DEFAULT_SETTINGS, { ...DEFAULT_SETTINGS, packages })).toMatch(/^Where packages come from changed/);
  expect(restartNote(DEFAULT_SETTINGS, { ...DEFAULT_SETTINGS, packages, corsProxy: "https://p.example.org/" })).toMatch(
    /^What tools may reach, and where packages come from changed/,
  );
});

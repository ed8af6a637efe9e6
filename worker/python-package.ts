import type { PyodideAPI } from "pyodide";
import { isRecord, parseJson, type Value } from "../src/protocol/index.js";

const packageFiles = import.meta.glob<string>("./python/vitrine/**/*.py", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Puts Vitrine's Python package where Python finds it. */
export function installPythonPackage(pyodide: PyodideAPI): void {
  const sitePackages = String(pyodide.runPython("import site; site.getsitepackages()[0]"));
  for (const [path, source] of Object.entries(packageFiles)) {
    const target = `${sitePackages}/${path.replace("./python/", "")}`;
    pyodide.FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
    pyodide.FS.writeFile(target, source);
  }
}

/** In which file of the lockfile each module comes, for the hint of a failed import. @throws for a file that is none. */
export function importsOfLockfile(text: string): Map<string, string> {
  const lockfile = parseJson(text);
  if (!isRecord(lockfile) || !isRecord(lockfile.packages)) throw new Error("Pyodide's lockfile lists no packages.");
  return new Map(Object.values(lockfile.packages).flatMap(modulesOf));
}

function modulesOf(entry: Value): (readonly [module: string, file: string])[] {
  if (!isRecord(entry)) return [];
  const { file_name: file, imports } = entry;
  // The rest are archives of tests and of shared libraries.
  if (typeof file !== "string" || !file.endsWith(".whl") || !Array.isArray(imports)) return [];
  return imports.flatMap((module: unknown) => (typeof module === "string" ? [[module, file] as const] : []));
}

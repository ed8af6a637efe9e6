import type { PyodideAPI } from "pyodide";

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

/** Which package of the lockfile each module belongs to, for the hint of a failed import. */
export function importsOfLockfile(text: string): Map<string, string> {
  const lockfile = JSON.parse(text) as { packages: Record<string, { name: string; imports?: string[] }> };
  const packages = Object.values(lockfile.packages);
  return new Map(packages.flatMap(({ name, imports }) => (imports ?? []).map((module) => [module, name] as const)));
}

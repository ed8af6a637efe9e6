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

/** In which file of the lockfile each module comes, for the hint of a failed import. */
export function importsOfLockfile(text: string): Map<string, string> {
  const lockfile = JSON.parse(text) as {
    packages: Record<string, { file_name: string; imports?: string[] }>;
  };
  // The rest are archives of tests and of shared libraries.
  const packages = Object.values(lockfile.packages).filter((entry) => entry.file_name.endsWith(".whl"));
  return new Map(
    packages.flatMap(({ file_name: file, imports }) => (imports ?? []).map((module) => [module, file] as const)),
  );
}

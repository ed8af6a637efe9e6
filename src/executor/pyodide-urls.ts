/** The files that make an interpreter. */
export type PyodideFile = "loader" | "script" | "wasm" | "standardLibrary" | "lockfile";

/**
 * Where the Pyodide files lie that came with Vitrine. They are fetched as bytes, never imported.
 *
 * Each line stays `new URL("literal", import.meta.url)`: Vite, webpack and the others recognise only that and
 * carry the file along. In the library build worker/vite-plugin-pyodide-files.ts turns the paths into
 * `./pyodide/…` beside the module.
 */
export function pyodideUrls(): Readonly<Record<PyodideFile, string>> {
  const urls = {
    loader: new URL("../../node_modules/pyodide/pyodide.mjs", import.meta.url),
    script: new URL("../../node_modules/pyodide/pyodide.asm.mjs", import.meta.url),
    wasm: new URL("../../node_modules/pyodide/pyodide.asm.wasm", import.meta.url),
    standardLibrary: new URL("../../node_modules/pyodide/python_stdlib.zip", import.meta.url),
    lockfile: new URL("../../node_modules/pyodide/pyodide-lock.json", import.meta.url),
  };
  return {
    loader: besidePackage(urls.loader),
    script: besidePackage(urls.script),
    wasm: besidePackage(urls.wasm),
    standardLibrary: besidePackage(urls.standardLibrary),
    lockfile: besidePackage(urls.lockfile),
  };
}

/** Where the base snapshot lies that came with Vitrine: compressed memory of an interpreter, made at build time. */
export function baseSnapshotUrl(): string {
  return besidePackage(new URL("../../node_modules/.cache/vitrine/base-snapshot.bin", import.meta.url));
}

// Vite before 8 moves a dependency's module to node_modules/.vite/deps for its development server and leaves the
// files beside it behind.
function besidePackage(url: URL): string {
  return url.href.replace(/\/\.vite\/deps\/(?=pyodide\/[^/]*$)/, "/vitrine/dist/");
}

import type { loadPyodide, PyodideAPI } from "pyodide";

import { PYODIDE_PATH } from "../bench-page.js";

type PyodideOptions = NonNullable<Parameters<typeof loadPyodide>[0]>;

/** Pyodide as its documentation says to load it, from the benchmark's own server. */
export async function loadBarePyodide(options: PyodideOptions = {}): Promise<PyodideAPI> {
  const indexURL = new URL(PYODIDE_PATH, location.origin).href;
  const module = (await import(/* @vite-ignore */ `${indexURL}pyodide.mjs`)) as { loadPyodide: typeof loadPyodide };
  return module.loadPyodide({ indexURL, ...options });
}

import { loadBarePyodide } from "./sides/bare-pyodide.js";

interface Wanted {
  readonly lockfile: string;
  readonly packages: readonly string[];
}

onmessage = ({ data }: MessageEvent<Wanted>) => {
  void load(data);
};

/** Packages as Pyodide's documentation says to load them. */
async function load({ lockfile, packages }: Wanted): Promise<void> {
  const pyodide = await loadBarePyodide({ lockFileURL: lockfile, packageBaseUrl: new URL(".", lockfile).href });
  await pyodide.loadPackage([...packages], { checkIntegrity: true, messageCallback: () => undefined });
  onmessage = ({ data }: MessageEvent<string>) => {
    postMessage(pyodide.runPython(data));
  };
  postMessage("ready");
}

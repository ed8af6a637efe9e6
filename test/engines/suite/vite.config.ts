import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { baseSnapshot } from "../../../worker/vite-plugin-base-snapshot.js";
import { pyodideRelease } from "../../../worker/vite-plugin-pyodide-release.js";
import { workerScripts } from "../../../worker/vite-plugin-worker-scripts.js";

/** Stands in the built pages where a server puts the nonce of an answer. */
const NONCE_MARK = "{nonce}";

/** The suite is built as an application that uses Vitrine would be, and is no part of the demo or the library. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  publicDir: fileURLToPath(new URL("../../wheels", import.meta.url)),
  logLevel: "warn",
  plugins: [workerScripts(), baseSnapshot(), pyodideRelease()],
  build: {
    outDir: fileURLToPath(new URL("../../../node_modules/.cache/vitrine-engines", import.meta.url)),
    target: "es2023",
    emptyOutDir: true,
    rolldownOptions: {
      input: ["suite.html", "policy.html"].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    },
  },
  // The server of a page with a policy puts its own in the place of it.
  html: { cspNonce: NONCE_MARK },
});

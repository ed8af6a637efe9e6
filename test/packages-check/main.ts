import "./page.css";
import release from "virtual:pyodide-release";

import { PackagesCheckPage } from "./page.js";
import { checkedPackages, type SourceName } from "./snippets/index.js";

/** Of the sources, put in by vite.config.ts. */
declare const VITRINE_COMMIT: string;

const folder = new URL("packages/", document.baseURI).href;
const root = document.querySelector("main");
if (root === null) throw new Error("The page has no <main>.");

new PackagesCheckPage(root, {
  packages: checkedPackages,
  sources: { wheels: { folder }, pyodide: { lockfile: "pyodide" } },
  places: { wheels: "this site", pyodide: new URL(release.packageFilesURL).host },
  commit: VITRINE_COMMIT,
  chosen: chosenSources(new URLSearchParams(location.search).getAll("source")),
});

/** `?source=wheels` has only that one chosen at first. */
function chosenSources(asked: readonly string[]): readonly SourceName[] {
  const all: readonly SourceName[] = ["wheels", "pyodide"];
  return asked.length === 0 ? all : all.filter((source) => asked.includes(source));
}

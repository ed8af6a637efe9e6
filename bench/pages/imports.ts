import { parseDocument, stringify } from "yaml";
import { z } from "zod";

import { openApiTools } from "../../src/index.js";
import { DOCUMENTS_PATH, type ImportsPage, type ImportSource } from "./bench-page.js";
import { startHeartbeat } from "./heartbeat.js";

type Paths = Record<string, Record<string, unknown>>;

const METHODS = new Set(["get", "put", "post", "patch", "delete", "head", "options"]);
const documents = new Map<ImportSource, Promise<string | Record<string, unknown>>>();

const page: ImportsPage = {
  measure: async (source, figure) => {
    const document = await documentOf(source);
    const heartbeat = figure === "longest" ? startHeartbeat() : undefined;
    const started = performance.now();
    const { adapter } = await openApiTools(document, { name: "api", baseUrl: "https://api.example" });
    const elapsed = performance.now() - started;
    const longest = await heartbeat?.();
    if (source.startsWith("2,500") && adapter.tool.callables.length !== 2500) {
      throw new Error(`There are ${String(adapter.tool.callables.length)} operations.`);
    }
    return longest ?? elapsed;
  },
  parseByYaml: async (source) => {
    const text = z.string().parse(await documentOf(source));
    const started = performance.now();
    const value: unknown = parseDocument(text, { prettyErrors: false, logLevel: "silent" }).toJS();
    const elapsed = performance.now() - started;
    if (typeof value !== "object" || value === null) throw new Error("There is no document.");
    return elapsed;
  },
};
globalThis.imports = page;

function documentOf(source: ImportSource): Promise<string | Record<string, unknown>> {
  const known = documents.get(source) ?? makeDocument(source);
  documents.set(source, known);
  return known;
}

async function makeDocument(source: ImportSource): Promise<string | Record<string, unknown>> {
  if (source === "YAML text") return fetchText("star-trek.yaml");
  const github = await fetchText("github.json");
  if (source === "GitHub text") return github;
  if (source === "GitHub YAML") return stringify(JSON.parse(github), { aliasDuplicateObjects: false });
  const large = repeated(JSON.parse(github) as Record<string, unknown>, 2500);
  return source === "2,500 text" ? JSON.stringify(large) : large;
}

async function fetchText(name: string): Promise<string> {
  return (await fetch(DOCUMENTS_PATH + name)).text();
}

/** The document with its paths again and again, until there are so many operations. */
function repeated(document: Record<string, unknown>, count: number): Record<string, unknown> {
  const paths: Paths = {};
  let left = count;
  for (let copy = 0; left > 0; copy += 1) {
    for (const [path, item] of Object.entries(document.paths as Paths)) {
      const kept = Object.entries(item).filter(([key]) => !METHODS.has(key) || left-- > 0);
      paths[`/copy${String(copy)}${path}`] = Object.fromEntries(kept);
      if (left <= 0) break;
    }
  }
  return { ...document, paths };
}

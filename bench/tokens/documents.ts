import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { parse } from "yaml";

/** A public OpenAPI document that an npm package carries. */
export interface PublicDocument {
  /** The namespace that it becomes. */
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly file: string;
  /** For a package that is too large to be installed for everyone: it is fetched by `npm pack` when it is wanted. */
  readonly version?: string;
}

const GITHUB: PublicDocument = {
  name: "github",
  title: "GitHub REST",
  package: "@octokit/openapi",
  file: "generated/api.github.com.json",
  version: "23.0.2",
};

export const publicDocuments: readonly PublicDocument[] = [
  GITHUB,
  { name: "figma", title: "Figma REST", package: "@figma/rest-api-spec", file: "openapi/openapi.yaml" },
  { name: "readme", title: "ReadMe", package: "@readme/oas-examples", file: "3.1/json/readme.json" },
];

const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = `${root}node_modules/.cache/vitrine-documents/`;

/** Reads a document, and fetches its package first where that is not installed. @throws where npm cannot fetch it. */
export function readDocument(document: PublicDocument): unknown {
  const text = readFileSync(documentPath(document), "utf8");
  return document.file.endsWith(".json") ? JSON.parse(text) : parse(text);
}

/** Where the document of that name lies; its package is fetched first where it is not installed. @throws where npm cannot fetch it. */
export function documentPath(document: PublicDocument): string {
  return installed(document) ?? fetched(document);
}

/** GitHub's document, the largest of them. */
export function githubDocumentPath(): string {
  return documentPath(GITHUB);
}

/** Where the document lies, if its package is installed. */
export function installed({ package: name, file }: PublicDocument): string | undefined {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return paths.map((path) => `${path}/${name}/${file}`).find((path) => existsSync(path));
}

/** Another process may fetch it at the same time: the folder gets its name once it is whole, and the first of both stays. */
function fetched({ package: name, version = "latest", file }: PublicDocument): string {
  const folder = `${cache}${name.replace(/\W/g, "_")}-${version}/`;
  const path = `${folder}package/${file}`;
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(`${cache}making-`);
  try {
    const packed = execFileSync("npm", ["pack", "--silent", `${name}@${version}`], { cwd: making, encoding: "utf8" });
    execFileSync("tar", ["-xzf", packed.trim(), `package/${file}`], { cwd: making });
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  }
  return path;
}

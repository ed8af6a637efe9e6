import { createHash } from "node:crypto";

import { strToU8, zipSync } from "fflate";

import { startLocalServer, type LocalServer } from "../../servers/local-server.js";

export interface InventedWheel {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** A wheel that was never published, with nothing in it but a module. */
export function inventedWheel(
  name: string,
  version: string,
  { needs = [], headers = [] }: { readonly needs?: readonly string[]; readonly headers?: readonly string[] } = {},
): InventedWheel {
  const lines = ["Metadata-Version: 2.4", `Name: ${name}`, `Version: ${version}`, ...headers];
  const metadata = [...lines, ...needs.map((need) => `Requires-Dist: ${need}`), "", ""].join("\n");
  const module = `${name.replaceAll("-", "_")}/__init__.py`;
  const bytes = zipSync({
    [`${name.replaceAll("-", "_")}-${version}.dist-info/METADATA`]: strToU8(metadata),
    [module]: strToU8(`version = "${version}"\n`),
  });
  return { file: `${name.replaceAll("-", "_")}-${version}-py3-none-any.whl`, bytes, sha256: sha256Of(bytes) };
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export interface InventedIndex extends LocalServer {
  /** Of its simple API. */
  readonly address: string;
  /** Paths that were asked for since they were last looked at. */
  readonly takeRequests: () => string[];
}

/** A simple index of invented wheels. */
export async function startInventedIndex(wheels: readonly InventedWheel[]): Promise<InventedIndex> {
  const requests: string[] = [];
  const server = await startLocalServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    const [, project] = /^\/simple\/([^/]+)\/$/.exec(path) ?? [];
    const files = wheels.filter(({ file }) => file.split("-")[0]?.replaceAll("_", "-") === project);
    const wheel = wheels.find(({ file }) => path === `/files/${file}`);
    if (wheel !== undefined) response.end(wheel.bytes);
    else if (files.length === 0) response.writeHead(404).end();
    else {
      const listed = files.map(({ file, sha256 }) => ({ filename: file, url: `/files/${file}`, hashes: { sha256 } }));
      response.end(JSON.stringify({ files: listed }));
    }
  });
  return { ...server, address: `${server.origin}/simple/`, takeRequests: () => requests.splice(0) };
}

/** A file of Pyodide's lockfile. */
export interface LockedFile {
  readonly name: string;
  readonly version: string;
  readonly file_name: string;
  readonly sha256: string;
  readonly package_type: "package" | "shared_library";
  readonly depends: readonly string[];
  readonly imports: readonly string[];
}

/** A lockfile for the Pyodide that Vitrine has. */
export function lockfileOf(files: readonly LockedFile[]): string {
  return JSON.stringify({
    info: { abi_version: "2026_0", arch: "wasm32" },
    packages: Object.fromEntries(files.map((file) => [file.name, file])),
  });
}

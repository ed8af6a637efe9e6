import { readFile } from "node:fs/promises";

import { z } from "zod";

import { canonicalName } from "../../src/deps/index.js";
import type { KnownFile, KnownFiles } from "./write-document.js";

const Folder = z.array(z.object({ file: z.string(), sha256: z.string() }));
const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({ name: z.string(), version: z.string(), file_name: z.string(), sha256: z.string() }),
  ),
});

/** The files of test/wheels, and those of the lockfile that comes with Pyodide. */
export async function readKnownFiles(): Promise<KnownFiles> {
  const [folder, lockfile] = await Promise.all([
    readJson("../wheels/index.json"),
    readJson("../../node_modules/pyodide/pyodide-lock.json"),
  ]);
  const wheels = Folder.parse(folder).map(({ file, sha256 }): [string, KnownFile] => {
    const [name = "", version = ""] = file.split("-");
    return [file, { name: canonicalName(name), version, sha256 }];
  });
  const built = Object.values(Lockfile.parse(lockfile).packages).map(
    ({ name, version, file_name: file, sha256 }): [string, KnownFile] => [
      file,
      { name: canonicalName(name), version, sha256 },
    ],
  );
  return { wheels: new Map(wheels), pyodide: new Map(built) };
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(path, import.meta.url), "utf8"));
}

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

import { strToU8, zipSync } from "fflate";

const published = new URL("../../wheels/", import.meta.url);

/** Wheels that attempts take: msgpack and pydantic-core as they were published, for calls from compiled code. */
const REAL = /^(?:msgpack|pydantic_core|typing_extensions)-/;

/** Where the address of an attempt is, in files of wheels that were made before it was known. */
const ADDRESS = "__import__('builtins').escape_address";

/** What the wheels made for the suite bring, by the name of their package. */
const made: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  escape_on_import: {
    "escape_on_import.py": `import js, pyodide_js\nfetched = js.fetch(${ADDRESS})\n`,
  },
  escape_loader: {
    "escape_loader.py": `import pyodide_js\nfetched = pyodide_js.loadPackage(${ADDRESS} + "/x-1.0-py3-none-any.whl")\n`,
  },
};

/** The files of a package folder, by name. */
export async function hostileWheels(): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const file of (await readdir(published)).filter((name) => REAL.test(name))) {
    files.set(file, await readFile(new URL(file, published)));
  }
  for (const [name, content] of Object.entries(made)) files.set(`${name}-1.0-py3-none-any.whl`, wheelOf(name, content));
  files.set("index.json", Buffer.from(JSON.stringify([...files.keys()])));
  return files;
}

function wheelOf(name: string, modules: Readonly<Record<string, string>>): Buffer {
  const folder = `${name}-1.0.dist-info`;
  const texts: Record<string, string> = {
    ...modules,
    [`${folder}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
    [`${folder}/WHEEL`]: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  };
  const lines = Object.entries(texts).map(([path, text]) => {
    return `${path},sha256=${createHash("sha256").update(text).digest("base64url")},${String(text.length)}`;
  });
  texts[`${folder}/RECORD`] = [...lines, `${folder}/RECORD,,`, ""].join("\n");
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, strToU8(text)]))));
}

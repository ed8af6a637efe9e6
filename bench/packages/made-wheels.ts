import { createHash } from "node:crypto";

import { strToU8, zipSync, type Zippable } from "fflate";

/** A wheel that the benchmark made up. */
export interface MadeWheel {
  readonly name: string;
  readonly version: string;
  readonly module: string;
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** Raise it with every change of what wheels hold: they are made once and kept. */
export const MADE_VERSION = "1.0";

const WHEELS = 12;

/** Every fourth is one of many small files, as packages with many plugins or much data are. */
const MANY_FILES = { every: 4, count: 1500, size: 4800 } as const;
const FEW_FILES = { count: 90, size: 80_000 } as const;

/** Modules that the import of a package imports. */
const IMPORTED = 10;

/** Characters of a module that is imported: code that is compiled then. */
const IMPORTED_SIZE = 12_000;

export function madePackage(index: number): { readonly name: string; readonly module: string } {
  const number = String(index + 1).padStart(2, "0");
  return { name: `made-package-${number}`, module: `made_package_${number}` };
}

/** Twelve wheels of 30 MB in all, which unpack to over three times that, as code does. The same each time. */
export function* makeWheels(): Generator<MadeWheel> {
  for (let index = 0; index < WHEELS; index++) yield makeWheel(index);
}

function makeWheel(index: number): MadeWheel {
  const { name, module } = madePackage(index);
  const write = new CodeWriter(index + 1);
  const { count, size } = index % MANY_FILES.every === 0 ? MANY_FILES : FEW_FILES;
  const files = new Map<string, Uint8Array>();
  const imported = Array.from({ length: IMPORTED }, (_, at) => `part_${String(at)}`);
  files.set(`${module}/__init__.py`, strToU8(imported.map((part) => `from . import ${part}\n`).join("")));
  for (const part of imported) files.set(`${module}/${part}.py`, write.module(IMPORTED_SIZE));
  for (let at = 0; at < count; at++) {
    files.set(`${module}/group_${String(at % 30)}/module_${String(at)}.py`, write.module(size));
  }
  const info = `${module}-${MADE_VERSION}.dist-info`;
  files.set(`${info}/METADATA`, strToU8(`Metadata-Version: 2.1\nName: ${name}\nVersion: ${MADE_VERSION}\n`));
  files.set(
    `${info}/WHEEL`,
    strToU8("Wheel-Version: 1.0\nGenerator: bench\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  );
  const record = Array.from(files, ([path, bytes]) => `${path},sha256=${digest(bytes)},${String(bytes.length)}`);
  files.set(`${info}/RECORD`, strToU8(`${record.join("\n")}\n${info}/RECORD,,\n`));
  const zippable: Zippable = Object.fromEntries(files);
  const filename = `${module}-${MADE_VERSION}-py3-none-any.whl`;
  return { name, version: MADE_VERSION, module, filename, bytes: zipSync(zippable, { level: 6 }) };
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

/** Writes Python that compresses as code does: names that recur, and literals that do not. */
class CodeWriter {
  readonly #names: readonly string[];
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761;
    this.#names = Array.from({ length: 900 }, () => `${this.#word()}_${this.#word()}`);
  }

  /** A module of about so many characters. */
  module(size: number): Uint8Array {
    const lines = ['"""Made for the benchmark."""\n'];
    for (let length = 0; length < size;) {
      const text = this.#function();
      lines.push(text);
      length += text.length;
    }
    return strToU8(lines.join("\n"));
  }

  #function(): string {
    const [name, first, second] = [this.#name(), this.#name(), `other_${this.#name()}`];
    const body = Array.from({ length: 6 }, () => {
      const [target, method, other] = [this.#name(), this.#name(), this.#name()];
      return `    ${target} = ${first}.${method}(${second}, ${other}=${String(this.#below(100_000))})\n`;
    });
    return `def ${name}(${first}, ${second}=None):\n    """Return the ${this.#word()} of ${this.#word()}."""\n${body.join("")}    return ${first}\n`;
  }

  #name(): string {
    return this.#names[this.#below(this.#names.length)] ?? "name";
  }

  #word(): string {
    const letters = Array.from({ length: 3 + this.#below(5) }, () => String.fromCharCode(97 + this.#below(26)));
    // No keyword of Python ends so.
    return `${letters.join("")}q`;
  }

  /** Xorshift: the same wheels on every machine. */
  #below(limit: number): number {
    let state = this.#state | 0;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (state >>> 0) % limit;
  }
}

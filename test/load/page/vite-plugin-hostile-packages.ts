import { deflateRawSync } from "node:zlib";

import { strToU8, zipSync } from "fflate";
import type { Plugin } from "vite";

/** As many files of one project as an index may name in the 30 MB that are read of its page. */
const INDEX_FILES = 100_000;

/** Files that an archive says to have: many more than two bytes can count. */
const ENTRIES = 400_000;

/** Bytes that a METADATA becomes which says that it is small. */
const UNPACKED = 400_000_000;

/** Lines of `Requires-Dist`. */
const REQUIREMENTS = 1_000_000;

/** A folder of packages and an index, beside the page, that are out to keep whoever reads them busy. */
export function hostilePackages(): Plugin {
  return {
    name: "vitrine:hostile-packages",
    generateBundle() {
      const emit = (fileName: string, source: string | Uint8Array): void => {
        this.emitFile({ type: "asset", fileName: `packages/${fileName}`, source });
      };
      const wheels: Readonly<Record<string, Uint8Array>> = {
        many_files: manyFiles(),
        many_needs: wheel("many_needs", "Requires-Dist: a>=1\n".repeat(REQUIREMENTS)),
        other_needs: wheel(
          "other_needs",
          numbered(4_900, (n) => `Requires-Dist: a${n}[b,c,d]>=1,!=1.5,<9; os_name != "x"`),
        ),
        lies: lying(),
      };
      const files = Object.entries(wheels).map(([name, content]) => [`${name}-1.0-py3-none-any.whl`, content] as const);
      for (const [file, content] of files) emit(file, content);
      emit("index.json", JSON.stringify(files.map(([file]) => file)));
      emit(
        "simple/many/index.html",
        projectPage("many", (n) => `many-${n}.0-py3-none-any.whl`),
      );
      emit("simple/nested/index.html", `{"files":[${"[],".repeat(3_000_000)}[]]}`);
    },
  };
}

function numbered(count: number, line: (n: string) => string): string {
  return `${Array.from({ length: count }, (_, n) => line(String(n))).join("\n")}\n`;
}

function projectPage(name: string, fileOf: (n: string) => string): string {
  const files = Array.from({ length: INDEX_FILES }, (_, n) => {
    return {
      filename: fileOf(String(n)),
      url: `../../${fileOf(String(n))}`,
      hashes: {},
      "requires-python": `>=3.${String(n % 14)}`,
    };
  });
  return JSON.stringify({ name, files });
}

function wheel(name: string, needs: string): Uint8Array {
  const metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n${needs}`;
  return zipSync({ [`${name}-1.0.dist-info/METADATA`]: strToU8(metadata) });
}

/** An archive of nothing but a directory, with the end that counts beyond two bytes (zip64). */
function manyFiles(): Uint8Array {
  const name = strToU8("many_files-1.0.dist-info/METADATA");
  const entry = Buffer.alloc(46 + name.length);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(name.length, 28);
  entry.set(name, 46);
  const directory = Buffer.alloc(entry.length * ENTRIES, entry);
  const end = Buffer.alloc(56 + 20 + 22);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(BigInt(ENTRIES), 32);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(directory.length), 64);
  end.writeUInt32LE(0x06054b50, 76);
  end.writeUInt16LE(0xffff, 86);
  end.writeUInt32LE(0xffffffff, 92);
  return Buffer.concat([directory, end]);
}

/** A METADATA that says it is of ten bytes. */
function lying(): Uint8Array {
  const name = "lies-1.0.dist-info/METADATA";
  const whole = Buffer.from(zipSync({ [name]: strToU8("Name: lies") }, { level: 0 }));
  const packed = deflateRawSync(Buffer.alloc(UNPACKED, "a"), { level: 9 });
  const local = Buffer.concat([whole.subarray(0, 30 + name.length), packed]);
  const rest = Buffer.from(whole.subarray(30 + name.length + 10));
  rest.writeUInt16LE(8, 10);
  rest.writeUInt32LE(packed.length, 20);
  rest.writeUInt32LE(local.length, rest.length - 22 + 16);
  return Buffer.concat([local, rest]);
}

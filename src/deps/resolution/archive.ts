import { strFromU8, unzipSync } from "fflate";

/** What an archive says of itself, as far as it is looked at before it is unpacked. */
export interface Archive {
  /** Lines of `Requires-Dist` (PEP 508); null where there is no METADATA that can be read, as in shared libraries. */
  readonly requires: readonly string[] | null;
  /** Bytes of its files, unpacked. */
  readonly size: number;
  readonly files: number;
}

/** Bytes of a METADATA that is read; descriptions are part of it. */
const LARGEST = 2 ** 21;

const METADATA = /^[^/]+\.dist-info\/METADATA$/;

/** Reads what a wheel, or another archive, holds; null where it is damaged. */
export function readArchive(archive: Uint8Array): Archive | null {
  let size = 0;
  let files = 0;
  try {
    const unpacked = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        size += originalSize;
        files += 1;
        return METADATA.test(name) && originalSize <= LARGEST;
      },
    });
    const [metadata] = Object.values(unpacked);
    const requires = metadata === undefined ? null : headersOf(strFromU8(metadata), "requires-dist");
    return { requires, size, files };
  } catch {
    return null;
  }
}

/** The values of a header, which ends with the first empty line. Lines that begin with a blank go on with the one before. */
export function headersOf(text: string, wanted: string): string[] {
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  const lines = text
    .slice(0, end)
    .replaceAll(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/);
  return lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return line.slice(0, colon).toLowerCase() === wanted ? [line.slice(colon + 1).trim()] : [];
  });
}

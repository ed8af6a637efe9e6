import { strFromU8, unzipSync } from "fflate";

import { headersOf } from "../deps/index.js";

/** What the archive of a package says of itself. */
export interface PackageFacts {
  /** Undefined where nothing says so. */
  readonly licence: string | undefined;
  /** Files of the archive with the text of the licence, and other notices. */
  readonly licenceFiles: readonly string[];
  /** Modules at its top. */
  readonly modules: readonly string[];
}

const METADATA = /^[^/]+\.dist-info\/METADATA$/;
const LICENCE_FILE = /^[^/]+\.dist-info\/(?:licenses?\/.+[^/]|(?:licen[cs]e|copying|notice|authors)[^/]*)$/i;

/** Bytes of a METADATA that is read; descriptions are part of it. */
const LARGEST = 2 ** 21;

/** Characters of a licence's name; longer ones are its text. */
const LONGEST_NAME = 100;

/** Reads an archive; null where it is damaged. */
export function packageFacts(archive: Uint8Array): PackageFacts | null {
  const files: string[] = [];
  try {
    const unpacked = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        files.push(name);
        return METADATA.test(name) && originalSize <= LARGEST;
      },
    });
    const [metadata] = Object.values(unpacked);
    return {
      licence: metadata === undefined ? undefined : licenceIn(strFromU8(metadata)),
      licenceFiles: files.filter((file) => LICENCE_FILE.test(file)),
      modules: modulesIn(files),
    };
  } catch {
    return null;
  }
}

/** As new METADATA has it (PEP 639), or old. */
function licenceIn(metadata: string): string | undefined {
  const said = [...headersOf(metadata, "license-expression"), ...headersOf(metadata, "license")];
  const name = said.find((text) => text !== "" && text.toUpperCase() !== "UNKNOWN" && text.length <= LONGEST_NAME);
  if (name !== undefined) return name;
  const classifiers = headersOf(metadata, "classifier").filter((text) => text.startsWith("License ::"));
  const names = classifiers.flatMap((text) => text.split("::").at(-1)?.trim() ?? []);
  return names.length === 0 ? undefined : names.join(", ");
}

const SOURCE = /^([a-z_]\w*)\/__init__\.(?:py|[\w.-]+\.so|so)$/i;
const SINGLE = /^([a-z_]\w*)\.(?:py|[\w.-]+\.so|so)$/i;

/** Modules and packages of Python at the top of an archive; tests that were left there are none. */
function modulesIn(files: readonly string[]): readonly string[] {
  const names = files.flatMap((file) => (SOURCE.exec(file) ?? SINGLE.exec(file))?.[1] ?? []);
  return [...new Set(names)].filter((name) => !/^tests?$/i.test(name)).sort();
}

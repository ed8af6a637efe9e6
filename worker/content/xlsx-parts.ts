import { SaxesParser } from "saxes";

import { shortenUnitsTo } from "../../src/protocol/index.js";
import { ContentFault, tooDeep } from "./content-fault.js";
import { Expansion } from "./expansion.js";
import type { Look } from "./look.js";
import { ZipArchive, type ZipEntry } from "./zip-archive.js";

/** That one part means another. */
export interface Relationship {
  readonly id: string;
  /** The last word of its type. */
  readonly type: string;
  /** The name of the other part. */
  readonly target: string;
}

/** Hears what is in a part. Names are without prefixes, those of attributes are as they stand. */
export interface PartListener {
  readonly open: (element: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: () => void;
}

/** The parts of an Office document: entries of an archive, most of them XML. */
export class XlsxParts {
  readonly #archive: ZipArchive;
  /** By name in small letters, as the format compares them. */
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  readonly #expansion: Expansion;
  readonly #look: Look;
  readonly #read = new Set<ZipEntry>();

  constructor(bytes: Uint8Array, look: Look) {
    this.#archive = new ZipArchive(bytes, look);
    this.#entries = new Map(this.#archive.entries.map((entry) => [entry.name.toLowerCase(), entry]));
    this.#expansion = new Expansion(bytes.length, look.limits);
    this.#look = look;
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** Parses a part. @returns the name of its root. @throws {Error} where it is not there or not well-formed. */
  read(name: string, { open, text, close }: PartListener): string {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw new Error(`its part ${shortenUnitsTo(name, 100)} is missing`);
    const parser = new SaxesParser({ xmlns: false, position: true });
    let root = "";
    let level = 0;
    const { depth } = this.#look.limits;
    parser.on("error", ({ message }) => {
      throw new Error(`its part ${shortenUnitsTo(name, 100)} is not well-formed: ${message}`);
    });
    parser.on("doctype", () => {
      throw new ContentFault(
        "definition_refused",
        `its part ${shortenUnitsTo(name, 100)} has a DOCTYPE, as no Office document may`,
      );
    });
    parser.on("opentag", ({ name: element, attributes }) => {
      level += 1;
      if (level > depth) throw tooDeep(depth, {});
      const local = withoutPrefix(element);
      if (root === "") root = local;
      open(local, attributes);
    });
    parser.on("closetag", () => {
      level -= 1;
      close?.();
    });
    if (text !== undefined) parser.on("text", text);
    this.#readText(entry, (piece) => parser.write(piece));
    parser.close();
    if (root === "") throw new Error(`its part ${shortenUnitsTo(name, 100)} has no element`);
    return root;
  }

  /** What a part refers to by number; of the document itself with an empty name. Nothing where there is no such list. */
  relationshipsOf(part: string): readonly Relationship[] {
    const [, folder = "", file = ""] = /^(.*\/)?([^/]*)$/.exec(part) ?? [];
    const list = `${folder}_rels/${file}.rels`;
    if (!this.has(list)) return [];
    const found: Relationship[] = [];
    this.read(list, {
      open: (element, { Id, Type, Target, TargetMode }) => {
        if (element !== "Relationship" || TargetMode === "External") return;
        const type = Type?.split("/").at(-1) ?? "";
        found.push({ id: Id ?? "", type, target: resolvePart(folder, Target ?? "") });
      },
    });
    return found;
  }

  /** Parses the XML that nothing has read, and unpacks everything else. */
  readTheRest(): void {
    for (const entry of this.#archive.entries) {
      if (this.#read.has(entry) || entry.isFolder) continue;
      if (/\.(?:xml|rels)$/i.test(entry.name)) this.read(entry.name, { open: () => undefined });
      else this.#unpack(entry, () => undefined);
    }
  }

  #readText(entry: ZipEntry, take: (text: string) => void): void {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    this.#unpack(entry, (piece) => {
      take(decoder.decode(piece, { stream: true }));
    });
    take(decoder.decode());
  }

  #unpack(entry: ZipEntry, take: (bytes: Uint8Array) => void): void {
    this.#read.add(entry);
    if (this.#archive.read(entry, this.#expansion, take)) return;
    throw new Error(`its part ${shortenUnitsTo(entry.name, 100)} is packed by a method that no Office document has`);
  }
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function resolvePart(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const path: string[] = [];
  for (const segment of `${folder}${target}`.split("/")) {
    if (segment === "..") path.pop();
    else if (segment !== "." && segment !== "") path.push(segment);
  }
  return path.join("/");
}

import { shortenUnitsTo, type ContentFacts } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";
import type { Look } from "./look.js";
import { LONGEST_NAME } from "./text-content.js";
import { XlsxParts, type Relationship } from "./xlsx-parts.js";

type Sheets = Extract<ContentFacts, { format: "xlsx" }>["sheets"];

/** Sheets that are told. */
const MOST_SHEETS = 1000;

/** The parts that make a workbook: that each is there, can be parsed, and refers to what is there. */
export function readXlsx(bytes: Uint8Array, look: Look): ContentFacts {
  const parts = new XlsxParts(bytes, look);
  if (!parts.has("[Content_Types].xml"))
    throw new Error("it is an archive, but no Office document ([Content_Types].xml is missing)");
  const workbook = find(parts.relationshipsOf(""), "officeDocument");
  if (workbook === undefined) throw new Error("it does not say which of its parts is the workbook");
  const named = readWorkbook(parts, workbook.target);
  const relationships = parts.relationshipsOf(workbook.target);
  const strings = find(relationships, "sharedStrings");
  const stringCount = strings === undefined ? 0 : countStrings(parts, strings.target);
  const sheets: Sheets = named.map(({ name, id }) => {
    const sheet = relationships.find((each) => each.id === id);
    if (sheet === undefined)
      throw new Error(`its sheet ${shortenUnitsTo(name, 50)} refers to a part that is not there`);
    const { rows, cells } = new SheetReader(parts, stringCount).read(sheet.target, look.limits.parts);
    if (cells === 0 && sheet.type === "worksheet")
      look.odd("empty_sheet", `the sheet ${shortenUnitsTo(name, 50)} is empty`);
    return { name: shortenUnitsTo(name, LONGEST_NAME), rows, cells };
  });
  parts.readTheRest();
  return { format: "xlsx", sheets: sheets.slice(0, MOST_SHEETS) };
}

function find(relationships: readonly Relationship[], type: string): Relationship | undefined {
  return relationships.find((each) => each.type === type);
}

interface NamedSheet {
  readonly name: string;
  /** Of its relationship. */
  readonly id: string;
}

function readWorkbook(parts: XlsxParts, part: string): readonly NamedSheet[] {
  const sheets: NamedSheet[] = [];
  const root = parts.read(part, {
    open: (element, attributes) => {
      if (element !== "sheet") return;
      // The prefix of the second one is free.
      const id = Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1];
      sheets.push({ name: attributes.name ?? "", id: id ?? "" });
    },
  });
  if (root !== "workbook") throw new Error(`its main part is <${root}> and no workbook`);
  if (sheets.length === 0) throw new Error("its workbook has no sheet");
  const names = sheets.map(({ name }) => name.toLowerCase());
  const repeated = sheets.find(({ name }, index) => names.indexOf(name.toLowerCase()) !== index);
  if (repeated !== undefined) throw new Error(`two of its sheets are named ${shortenUnitsTo(repeated.name, 50)}`);
  return sheets;
}

function countStrings(parts: XlsxParts, part: string): number {
  let count = 0;
  parts.read(part, {
    open: (element) => {
      if (element === "si") count += 1;
    },
  });
  return count;
}

/** Counts the rows and cells of sheets that hold something. */
class SheetReader {
  readonly #parts: XlsxParts;
  readonly #strings: number;

  constructor(parts: XlsxParts, strings: number) {
    this.#parts = parts;
    this.#strings = strings;
  }

  read(part: string, most: number): { readonly rows: number; readonly cells: number } {
    const found = { rows: 0, cells: 0 };
    /** Whether the current cell holds the number of a shared text. */
    let isShared = false;
    let isValue = false;
    const root = this.#parts.read(part, {
      open: (element, { t }) => {
        isValue = element === "v";
        if (element === "row") found.rows += 1;
        else if (element === "c") isShared = t === "s";
        else if (element === "v" || element === "is") found.cells += 1;
        if (found.cells > most) throw new ContentFault("too_many_parts", `it has more than ${String(most)} cells`);
      },
      text: (text) => {
        if (!isShared || !isValue) return;
        const number = Number(text);
        if (!Number.isInteger(number) || number < 0 || number >= this.#strings) {
          throw new Error(
            `a cell refers to the shared text ${shortenUnitsTo(text, 20)}, of which there are ${String(this.#strings)}`,
          );
        }
      },
      close: () => {
        isValue = false;
      },
    });
    if (!root.endsWith("sheet")) throw new Error(`a part that should be a sheet is <${root}>`);
    return found;
  }
}

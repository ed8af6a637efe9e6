import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const testFolder = join(import.meta.dirname, "../..");

/** The ids of the rows of a file of test/spec, in their order. */
export const rowsOf = (file: string): string[] =>
  [...readFileSync(join(testFolder, "spec", file), "utf8").matchAll(/^\| *([A-Z]\d+) *\|/gm)].flatMap(
    ([, id]) => id ?? [],
  );

/** `T1, T4` and `E12–E14`, one by one. */
const separateIds = (list: string): string[] =>
  list.split(", ").flatMap((part) => {
    const [, letter = "", from, to] = /^([A-Z])(\d+)–[A-Z](\d+)$/.exec(part) ?? [];
    if (from === undefined || to === undefined) return [part];

    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `${letter}${Number(from) + index}`);
  });

/** Of a test or a group of tests, by itself or behind the table of a `test.each`. */
const title = /(?:\b(?:test|describe)(?:\.each\([^)]*\))?|\]\))\(\s*(?:"([^"\n]*)"|`([^`\n]*)`)/g;

/** The first text of a row of a table: what stands in the title for `%s`. */
const titleInTable = /^ *\[\s*"([^"\n]*\))",/gm;

/** A test that is skipped, or may be, as far as the next one; a group that is, as far as the file goes. */
const skipped =
  /\btest\.(?:skip|skipIf|runIf|todo|fixme)\b[^]*?(?=\n\s*(?:test|describe)\b|$)|\bdescribe\.(?:skip|skipIf|runIf|todo)\b[^]*/g;

/** The ids in brackets in the titles of a test file; comments and skipped tests name rows too, but try nothing. */
export function idsInTitles(source: string): string[] {
  const tried = source.replaceAll(skipped, "");
  return [title, titleInTable].flatMap((form) => idsIn(tried.matchAll(form)));
}

function idsIn(titles: Iterable<RegExpMatchArray>): string[] {
  return [...titles].flatMap(([, quoted, template]) =>
    [...(quoted ?? template ?? "").matchAll(/\(([A-Z]\d+(?:(?:, |–)[A-Z]\d+)*)\)/g)].flatMap(([, list = ""]) =>
      separateIds(list),
    ),
  );
}

/** Each test file, by its path in test/, with the ids its titles name. */
export function namedByFile(): Map<string, string[]> {
  const files = readdirSync(testFolder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.(?:test|spec)\.ts$/.test(file));

  return new Map(files.map((file) => [file, idsInTitles(readFileSync(join(testFolder, file), "utf8"))]));
}

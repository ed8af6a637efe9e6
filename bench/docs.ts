import { readFile, writeFile } from "node:fs/promises";

/**
 * Replaces what stands between `<!-- name -->` and `<!-- /name -->`.
 * @throws {RangeError} when the file has no such section.
 */
export function replaceSection(document: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new RangeError(`There is no section ${begin} … ${end}.`);
  return `${document.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${document.slice(to)}`;
}

export async function writeSections(file: string, sections: ReadonlyMap<string, string>): Promise<void> {
  let document = await readFile(file, "utf8");
  for (const [name, content] of sections) document = replaceSection(document, name, content);
  await writeFile(file, document);
}

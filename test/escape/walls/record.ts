import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { engineNames } from "../../engines/drivers/index.js";
import { walls } from "./walls.js";

const recordFile = fileURLToPath(new URL("record.json", import.meta.url));
const page = fileURLToPath(new URL("../../../docs/threat-model.md", import.meta.url));

/** What was seen in one engine. */
const EngineRecord = z.strictObject({
  version: z.string(),
  /** Of the day, `2026-11-24` for instance. */
  date: z.string(),
  commit: z.string(),
  /** What the engine lacks, by the name of the need. */
  lacks: z.array(z.string()),
  /** By wall, the titles of the tests that fail without it. */
  failing: z.record(z.string(), z.array(z.string())),
  /** Attempts that were tried by themselves, after the run of all. */
  later: z.array(z.strictObject({ date: z.string(), commit: z.string(), attempts: z.array(z.string()) })).optional(),
});
export type EngineRecord = z.infer<typeof EngineRecord>;

const WallRecord = z.partialRecord(z.enum(engineNames), EngineRecord);
export type WallRecord = z.infer<typeof WallRecord>;

export async function readRecord(): Promise<WallRecord> {
  return WallRecord.parse(JSON.parse(await readFile(recordFile, "utf8")));
}

/** Writes the record, and the tables of the threat model that are made of it. */
export async function writeRecord(record: WallRecord): Promise<void> {
  await writeFile(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  let text = await readFile(page, "utf8");
  for (const [name, content] of sections(record)) text = withSection(text, name, content);
  await writeFile(page, text);
}

/** The threat model as it stands. */
export function readPage(): Promise<string> {
  return readFile(page, "utf8");
}

/** What stands between the marks of each name. */
export function sections(record: WallRecord): ReadonlyMap<string, string> {
  return new Map([
    ["lacks", lacksTable(record)],
    ["walls", wallsSection(record)],
  ]);
}

/** @throws {Error} where the marks are missing. */
export function sectionOf(text: string, name: string): string {
  return parts(text, name)[1];
}

function withSection(text: string, name: string, content: string): string {
  const [before, , after] = parts(text, name);
  return before + content + after;
}

function parts(text: string, name: string): [before: string, content: string, after: string] {
  const [begin, end] = [`<!-- ${name}: begin, written by npm run test:walls -->\n`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The threat model has no marks for "${name}".`);
  return [text.slice(0, from + begin.length), text.slice(from + begin.length, to), text.slice(to)];
}

const labels = { chromium: "Chromium", firefox: "Firefox", webkitgtk: "WebKitGTK" } as const;

function entries(record: WallRecord): (readonly [label: string, EngineRecord])[] {
  return engineNames.flatMap((name) => (record[name] === undefined ? [] : [[labels[name], record[name]] as const]));
}

function lacksTable(record: WallRecord): string {
  const needs = [...new Set(entries(record).flatMap(([, { lacks }]) => lacks))].sort();
  const rows = needs.map((need) => {
    const without = entries(record).filter(([, { lacks }]) => lacks.includes(need));
    return [need, without.map(([label]) => label).join(", ")];
  });
  return table([["what an attempt needs", "not in"], ...rows]);
}

function wallsSection(record: WallRecord): string {
  const tried = entries(record).filter(([, { failing }]) => Object.keys(failing).length > 0);
  const runs = tried.map(
    ([, { version, date, commit, later = [] }]) => `${version} on ${date}, commit \`${commit}\`${laterRuns(later)}`,
  );
  const header = ["wall", "taken away", ...tried.map(([label]) => label)];
  const rows = walls.map(({ name, takenAway }) => [
    name,
    takenAway,
    ...tried.map(([, { failing }]) => {
      const titles = failing[name];
      if (titles === undefined) return "not tried";
      return titles.length === 0 ? "nothing notices" : `${String(titles.length)} fail`;
    }),
  ]);
  const lists = walls.map(({ name }) => {
    const titles = new Set(tried.flatMap(([, { failing }]) => failing[name] ?? []));
    return `- **${name}**: ${titles.size === 0 ? "no test fails" : namesOf([...titles])}.\n`;
  });
  return `Seen in ${runs.join("; ")}.\n\n${table([header, ...rows])}\nThe tests that fail without each:\n\n${lists.join("")}`;
}

function laterRuns(runs: NonNullable<EngineRecord["later"]>): string {
  return runs
    .map(({ date, commit, attempts }) => ` (${String(attempts.length)} attempts on ${date}, commit \`${commit}\`)`)
    .join("");
}

/** By ring and group, which come first in a title. */
function namesOf(titles: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const title of titles) {
    const [, group = "", name = title] = /^(\w+, [\w ]+): (.+)$/s.exec(title) ?? [];
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups].map(([group, names]) => `${group === "" ? "" : `_${group}_: `}${names.join("; ")}`).join(". ");
}

/** With columns of one width. */
function table(rows: readonly (readonly string[])[]): string {
  const [header = []] = rows;
  const widths = header.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |\n`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [line(header), rule, ...rows.slice(1).map(line)].join("");
}

import { messageOf } from "../protocol/index.js";
import type { AddedPackage } from "./add-packages.js";
import { codeOf, type ListedFile } from "./site-folder.js";

/** Bytes as they are read: 512 bytes, 20.9 kB, 3.1 MB. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${String(bytes)} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function countInWords(count: number, one: string, several = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : several}`;
}

export function addedInWords({ name, version, size, licence, asked, wasThere }: AddedPackage): string[] {
  const news = asked === undefined ? "new, needed" : "new";
  return [name, version, sizeInWords(size), licence ?? "licence not said", wasThere ? "" : news];
}

export function listedInWords({ name, version, entry, found }: ListedFile): string[] {
  const { file, asked } = entry;
  const why = asked === undefined ? "listed by hand" : asked === false ? "needed" : `asked for: ${asked}`;
  return [name ?? file, version ?? "", found === undefined ? "missing" : sizeInWords(found.size), why];
}

/** Rows as lines, with their cells below each other. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, at) => Math.max(cell.length, all[at] ?? 0)), []);
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** Words of servers and files, without what a terminal would obey. */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, "?");
}

/** What went wrong, with what the system says of it, and what can be done. */
export function failureInWords(error: Error): string {
  const innermost = innermostCause(error);
  const reason = innermost === error ? undefined : (codeOf(innermost) ?? messageOf(innermost));
  const because = reason === undefined || error.message.includes(reason) ? "" : ` (${reason})`;
  const advice = error.message.includes("among the `hosts` of the index")
    ? " Allow it with --host, after that --index."
    : "";
  return `${error.message}${because}${advice}`;
}

function innermostCause(error: unknown): unknown {
  let innermost = error;
  for (let depth = 0; depth < 10 && innermost instanceof Error && innermost.cause instanceof Error; depth++) {
    innermost = innermost.cause;
  }
  return innermost;
}

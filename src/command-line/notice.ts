import { packageFacts } from "./package-facts.js";

const BEGINNING = "# Licences of the packages in this folder";

/** Files that are named for one package. */
const MOST_NAMED = 8;

export interface NoticedFile {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** Whether a notice is one that was written here. */
export function isOurNotice(text: string): boolean {
  return text.startsWith(BEGINNING);
}

/** A notice of licences, in Markdown, from what the files say of themselves. */
export function noticeOf(files: readonly NoticedFile[]): string {
  const rows = files.map(({ file, name, version, sha256, bytes }) => {
    const facts = packageFacts(bytes);
    const cells = [name, version, facts?.licence ?? "not said", textsIn(facts?.licenceFiles ?? []), file, sha256];
    return `| ${cells.map(inCell).join(" | ")} |`;
  });
  return `${BEGINNING}

\`vitrine packages\` wrote this, and writes it again with each change, from what the files say of themselves. The texts are in the
files, which are ZIP archives.

| package | version | licence | its text, within the file | file | SHA-256 |
| --- | --- | --- | --- | --- | --- |
${rows.map((row) => `${row}\n`).join("")}`;
}

function textsIn(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length > MOST_NAMED ? [`and ${String(names.length - MOST_NAMED)} more`] : [];
  return [...names.slice(0, MOST_NAMED), ...more].join(", ");
}

/** Words of others, so that they stay text and stay in their cell. */
function inCell(text: string): string {
  return text.replaceAll(/\p{C}|\s/gu, " ").replaceAll(/[\\`*[\]<>|&]/g, (sign) => `\\${sign}`);
}

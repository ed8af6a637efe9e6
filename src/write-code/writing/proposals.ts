import { areComparable, comparableText, differenceOfLines, markedLines, unifiedHunks } from "../../difference/index.js";
import { Slices } from "../../protocol/index.js";
import type { FileProposal } from "../../tools/index.js";
import type { LookedAtFile } from "./files-to-write.js";

/** What a person is asked about these files, in slices between which the page goes on. */
export async function proposalsOf(files: readonly LookedAtFile[]): Promise<readonly FileProposal[]> {
  const slices = new Slices();
  const proposals: FileProposal[] = [];
  for (const file of files) {
    await slices.rest();
    proposals.push(await proposalOf(file));
  }
  return proposals;
}

async function proposalOf({ file, now, isInConflict }: LookedAtFile): Promise<FileProposal> {
  const { path, content, notes } = file;
  const there = await comparableText(now?.content ?? null);
  const shown = {
    path,
    operation: now === null ? "create" : "modify",
    before: there ?? null,
    after: content.kind === "text" ? content.text : null,
    image: content.kind === "image" ? { mime: content.mime, bytes: content.bytes } : null,
    ...(isInConflict ? { conflict: { theirs: there ?? null } } : {}),
  } as const;
  if (content.kind === "image") return { ...shown, difference: "", notes };
  if (there === undefined) return { ...shown, difference: "", notes: [...notes, NOT_SHOWN] };
  if (!areComparable(there, content.text)) return { ...shown, difference: "", notes: [...notes, NOT_COMPARED] };
  return { ...shown, difference: differenceOf(there, content.text), notes };
}

const NOT_SHOWN = "What the file holds now is no text, or too large to be shown.";
const NOT_COMPARED = "The file is too large for its lines to be compared.";

function differenceOf(before: string | null, after: string): string {
  return unifiedHunks(differenceOfLines(markedLines(before), markedLines(after))).join("\n");
}

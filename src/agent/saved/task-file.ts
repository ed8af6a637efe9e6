import { z } from "zod";

import { jsonIn, Slices, type ParsedJson, type Problem } from "../../protocol/index.js";
import type { AgentEvent } from "../events/events.js";
import { AttachmentLine, attachmentsFrom, linesOfAttachments, type Attachments } from "./attachments.js";
import { SavedTaskError } from "./errors.js";
import { readEventLine } from "./read-event-line.js";
import { writeEventLine } from "./write-event-line.js";

const Header = z.strictObject({
  format: z.literal("vitrine-task", { error: "it is no saved task of Vitrine" }),
  // The second one carries artifacts.
  version: z.literal([1, 2], { error: "it is of a version that is not known here" }),
});

/** A task as its file holds it. */
export interface TaskFile {
  readonly events: readonly AgentEvent[];
  readonly attachments: Attachments | null;
}

/**
 * A task as the text of one file: a line that says what it is, a line for each artifact, then a line for each event.
 * Without artifacts it is a file of the first version, which older pages read.
 */
export async function writeTaskFile({ events, attachments }: TaskFile): Promise<string> {
  const header: z.infer<typeof Header> = { format: "vitrine-task", version: attachments === null ? 1 : 2 };
  const attached = attachments === null ? "" : await linesOfAttachments(attachments);
  return `${JSON.stringify(header)}\n${attached}${await linesOf(events)}`;
}

/** A line for each event. Long tasks have thousands, so the page has its turn in between. */
export async function linesOf(events: readonly AgentEvent[]): Promise<string> {
  const slices = new Slices();
  const lines: string[] = [];
  for (const event of events) {
    await slices.rest();
    lines.push(`${writeEventLine(event)}\n`);
  }
  return lines.join("");
}

/** @throws {SavedTaskError} when a line of it cannot be read: a file that is damaged is not taken for a whole one. */
export async function readTaskFile(text: string): Promise<TaskFile> {
  const [first = "", ...lines] = text.split(/\r?\n/);
  const header = Header.safeParse(parsedLine(first));
  if (!header.success) throw new SavedTaskError(header.error.issues[0]?.message ?? "it is no saved task of Vitrine");
  const slices = new Slices();
  const events: AgentEvent[] = [];
  const attached: AttachmentLine[] = [];
  for (const line of lines) {
    if (line === "") continue;
    await slices.rest();
    const attachment =
      header.data.version === 2 && events.length === 0 ? AttachmentLine.safeParse(parsedLine(line)) : null;
    if (attachment?.success === true) attached.push(attachment.data);
    else events.push(readEventLine(line));
  }
  return { events, attachments: attachmentsFrom(attached) };
}

/** What {@link linesOfAttachments} wrote; what is damaged of it is left out, and told of. */
export async function readAttachments(
  text: string,
  { file, problems }: { readonly file: string; readonly problems: Problem[] },
): Promise<Attachments | null> {
  const slices = new Slices();
  const lines: AttachmentLine[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "") continue;
    await slices.rest();
    try {
      lines.push(AttachmentLine.parse(parsedLine(line)));
    } catch (cause) {
      const { problem, code } = new SavedTaskError("an artifact that came with it cannot be read", { cause });
      problems.push({ file, line: index + 1, message: problem, code });
    }
  }
  return attachmentsFrom(lines);
}

function parsedLine(line: string): ParsedJson {
  const json = jsonIn(line);
  if (json === undefined) throw new SavedTaskError("it is no saved task of Vitrine");
  return json;
}

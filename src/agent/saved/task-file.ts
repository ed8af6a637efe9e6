import { z } from "zod";

import { Slices } from "../../protocol/index.js";
import type { AgentEvent } from "../events.js";
import { SavedTaskError } from "./errors.js";
import { readEventLine } from "./read-event-line.js";
import { writeEventLine } from "./write-event-line.js";

const Header = z.strictObject({
  format: z.literal("vitrine-task", { error: "it is no saved task of Vitrine" }),
  version: z.literal(1, { error: "it is of a version that is not known here" }),
});

/** The events of a task as the text of one file: a line that says what it is, then a line for each event. */
export async function writeTaskFile(events: readonly AgentEvent[]): Promise<string> {
  const header: z.infer<typeof Header> = { format: "vitrine-task", version: 1 };
  return `${JSON.stringify(header)}\n${await linesOf(events)}`;
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
export async function readTaskFile(text: string): Promise<AgentEvent[]> {
  const [first = "", ...lines] = text.split(/\r?\n/);
  const header = Header.safeParse(jsonOf(first));
  if (!header.success) throw new SavedTaskError(header.error.issues[0]?.message ?? "it is no saved task of Vitrine");
  const slices = new Slices();
  const events: AgentEvent[] = [];
  for (const line of lines) {
    if (line === "") continue;
    await slices.rest();
    events.push(readEventLine(line));
  }
  return events;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new SavedTaskError("it is no saved task of Vitrine");
  }
}

import { z } from "zod";

import type { AgentEvent } from "../events.js";
import { SavedTaskError } from "./errors.js";
import { readEventLine } from "./read-event-line.js";
import { writeEventLine } from "./write-event-line.js";

const Header = z.strictObject({
  format: z.literal("vitrine-task", { error: "it is no saved task of Vitrine" }),
  version: z.literal(1, { error: "it is of a version that is not known here" }),
});

/** The events of a task as the text of one file: a line that says what it is, then a line for each event. */
export function writeTaskFile(events: readonly AgentEvent[]): string {
  const header: z.infer<typeof Header> = { format: "vitrine-task", version: 1 };
  return [JSON.stringify(header), ...events.map(writeEventLine), ""].join("\n");
}

/** @throws {SavedTaskError} when a line of it cannot be read: a file that is damaged is not taken for a whole one. */
export function readTaskFile(text: string): AgentEvent[] {
  const [first = "", ...lines] = text.split(/\r?\n/);
  const header = Header.safeParse(jsonOf(first));
  if (!header.success) throw new SavedTaskError(header.error.issues[0]?.message ?? "it is no saved task of Vitrine");
  return lines.filter((line) => line !== "").map(readEventLine);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new SavedTaskError("it is no saved task of Vitrine");
  }
}

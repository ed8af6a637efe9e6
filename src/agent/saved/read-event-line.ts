import { z } from "zod";

import { decodeValue, MalformedValueError } from "../../protocol/index.js";
import type { AgentEvent } from "../events/events.js";
import { fromBase64 } from "./base64.js";
import { SavedTaskError } from "./errors.js";
import { StoredEvent } from "./stored-event.js";
import type { EventLine } from "./write-event-line.js";

const Line: z.ZodType<EventLine> = z.strictObject({ event: z.string(), bytes: z.array(z.string()).exactOptional() });

/** @throws {SavedTaskError} for a line that is not an event. */
export function readEventLine(line: string): AgentEvent {
  try {
    const { event, bytes = [] } = Line.parse(JSON.parse(line));
    return StoredEvent.parse(decodeValue({ text: event, buffers: bytes.map(fromBase64) }));
  } catch (error) {
    throw new SavedTaskError(problemOf(error), { cause: error });
  }
}

function problemOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : `"${issue.path.join(".")}" `;
    return `an event cannot be read: ${where}${issue?.message ?? "is unknown"}`;
  }
  if (error instanceof SyntaxError || error instanceof MalformedValueError || error instanceof DOMException) {
    return `a line is not an event: ${error.message}`;
  }
  throw error;
}

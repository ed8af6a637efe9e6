import { encodeValue } from "../../protocol/index.js";
import type { AgentEvent } from "../events/events.js";
import { toBase64 } from "./base64.js";
import { storable } from "./storable.js";

/** What a line holds, as JSON. */
export interface EventLine {
  /** The event as values are written that cross the bridge. */
  readonly event: string;
  /** Base64 of the bytes that it refers to. */
  readonly bytes?: readonly string[];
}

/** An event as a line of text, its ending left out. */
export function writeEventLine(event: AgentEvent): string {
  const { text, buffers } = encodeValue(storable(withoutRepeats(event)));
  const line: EventLine = {
    event: text,
    ...(buffers.length === 0 ? {} : { bytes: buffers.map(toBase64) }),
  };
  return JSON.stringify(line);
}

/** The end of a task repeats what its steps said. */
function withoutRepeats(event: AgentEvent): unknown {
  if (event.type !== "task-ended") return event;
  return { ...event, result: { ...event.result, steps: [], signals: [] } };
}

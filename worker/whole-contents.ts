import {
  bytesOf,
  textOf,
  type BridgeEvent,
  type EncodedValue,
  type SentChange,
  type SentEvent,
  type WorkspaceChange,
} from "../src/protocol/index.js";

/** What the page sent with its blobs read. At once where there are none: events keep their order. */
export function wholeEvent(event: SentEvent): BridgeEvent | Promise<BridgeEvent> {
  return isWhole(event) ? event : readEvent(event);
}

/** Changes of files with their blobs read. */
export async function wholeChanges(changes: readonly SentChange[]): Promise<WorkspaceChange[]> {
  const whole: WorkspaceChange[] = [];
  for (const { path, content } of changes) {
    whole.push({ path, content: content instanceof Blob ? await bytesOf(content) : content });
  }
  return whole;
}

function isWhole(event: SentEvent): event is BridgeEvent {
  if (event.kind === "interrupt") return true;
  const { text, buffers } = event.payload;
  return ![text, ...buffers].some((part) => part instanceof Blob);
}

async function readEvent(event: Exclude<SentEvent, { kind: "interrupt" }>): Promise<BridgeEvent> {
  const { text, buffers } = event.payload;
  const payload: EncodedValue = {
    text: text instanceof Blob ? await textOf(text) : text,
    buffers: await Promise.all(buffers.map(async (part) => (part instanceof Blob ? await bytesOf(part) : part))),
  };
  return { ...event, payload };
}

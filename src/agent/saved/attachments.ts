import { z } from "zod";

import type { Artifact } from "../../artifacts/index.js";
import { Slices } from "../../protocol/index.js";
import { pathFault } from "../../storage/index.js";
import type { AgentEvent } from "../events/events.js";
import { fromBase64, toBase64 } from "./base64.js";

/** An artifact as the file of a shared task carries it. */
export interface AttachedArtifact {
  readonly name: string;
  readonly description: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * An artifact that the file does not carry: it was not there any more (`gone`), could not be read (`unreadable`), is
 * larger than a file carries of one (`too large`) or than it has room for after others (`no room`), came after as many as
 * a file carries (`too many`), was not with the task when that came from a file (`not ours`), or was saved by an agent in
 * the task's course alone, which may have a store of its own (`of another agent`).
 */
export interface MissingArtifact {
  readonly name: string;
  readonly reason: (typeof REASONS)[number];
}

const REASONS = ["gone", "unreadable", "too large", "no room", "too many", "not ours", "of another agent"] as const;

/** The artifacts that a task saved, as the file has them from which it came. They are in no store of artifacts. */
export interface Attachments {
  readonly artifacts: readonly AttachedArtifact[];
  readonly missing: readonly MissingArtifact[];
}

/** Where the artifacts of a task are read; a session's artifacts are one. */
export interface ArtifactSource {
  get(name: string): Promise<Pick<Artifact, "size" | "description"> | null>;
  loadBytes(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Bytes that a file carries of one artifact, and of all; how many artifacts, and characters of a description. */
const LARGEST = 4_000_000;
const ROOM = 12_000_000;
const MOST = 200;
const LONGEST = 2000;

const Name = z.string().refine((name) => pathFault(name) === null, { error: "is no name of an artifact" });
const Attached = z.strictObject({
  name: Name,
  description: z.string().max(LONGEST),
  // Four characters stand for three bytes.
  data: z
    .string()
    .max(Math.ceil(LARGEST / 3) * 4)
    .transform((text, context) => {
      try {
        return fromBase64(text);
      } catch {
        context.issues.push({ code: "custom", message: "is not base64", input: "" });
        return z.NEVER;
      }
    }),
});
const Missing = z.strictObject({ name: Name, reason: z.enum(REASONS) });

/** What the line of a file says of artifacts. */
export const AttachmentLine = z.union([z.strictObject({ artifact: Attached }), z.strictObject({ missing: Missing })]);
export type AttachmentLine = z.infer<typeof AttachmentLine>;

/** Names of the artifacts that a task saved, each once. */
function savedNames(events: readonly AgentEvent[]): readonly string[] {
  return [...new Set(events.flatMap((event) => (event.type === "artifact" ? [event.name] : [])))];
}

/** The artifacts that a task saved, as they are now: what was saved anew since then is what goes along. */
export async function attachmentsOf(events: readonly AgentEvent[], source: ArtifactSource): Promise<Attachments> {
  const artifacts: AttachedArtifact[] = [];
  const missing: MissingArtifact[] = [];
  let room = ROOM;
  const taskId = events[0]?.taskId;
  const own = savedNames(events.filter((event) => event.taskId === taskId));
  for (const name of savedNames(events)) if (!own.includes(name)) missing.push({ name, reason: "of another agent" });
  for (const [index, name] of own.entries()) {
    const found = index < MOST ? await readOne(source, { name, room }) : "too many";
    if (typeof found === "string") missing.push({ name, reason: found });
    else {
      artifacts.push(found);
      room -= found.bytes.byteLength;
    }
  }
  return { artifacts, missing };
}

/** The artifact, or why it does not go along: one that cannot be read takes nothing else away. */
async function readOne(
  source: ArtifactSource,
  { name, room }: { readonly name: string; readonly room: number },
): Promise<AttachedArtifact | MissingArtifact["reason"]> {
  const refusal = (size: number) => (size > LARGEST ? "too large" : size > room ? "no room" : null);
  try {
    const known = await source.get(name);
    if (known === null) return "gone";
    const refused = refusal(known.size);
    if (refused !== null) return refused;
    const bytes = await source.loadBytes(name);
    return refusal(bytes.byteLength) ?? { name, description: known.description.slice(0, LONGEST), bytes };
  } catch {
    return "unreadable";
  }
}

/** What came with a task from a file, and, as missing, what it has saved beside that: it is its reader's own. */
export function attachmentsAgain(events: readonly AgentEvent[], came: Attachments | null): Attachments {
  const { artifacts, missing } = came ?? { artifacts: [], missing: [] };
  const mentioned = new Set([...artifacts, ...missing].map(({ name }) => name));
  const others = savedNames(events).filter((name) => !mentioned.has(name) && pathFault(name) === null);
  return { artifacts, missing: [...missing, ...others.map((name) => ({ name, reason: "not ours" as const }))] };
}

/** A line for each artifact, with rests: there may be megabytes of them. */
export async function linesOfAttachments({ artifacts, missing }: Attachments): Promise<string> {
  const slices = new Slices();
  const lines: string[] = [];
  for (const { bytes, ...artifact } of artifacts) {
    await slices.rest();
    lines.push(`${JSON.stringify({ artifact: { ...artifact, data: toBase64(bytes) } })}\n`);
  }
  for (const each of missing) lines.push(`${JSON.stringify({ missing: each })}\n`);
  return lines.join("");
}

/** What such lines come to; null where there are none. What does not fit into a file's room is taken for missing. */
export function attachmentsFrom(lines: readonly AttachmentLine[]): Attachments | null {
  if (lines.length === 0) return null;
  const artifacts: AttachedArtifact[] = [];
  const missing: MissingArtifact[] = [];
  let room = ROOM;
  for (const line of lines) {
    if ("missing" in line) {
      missing.push(line.missing);
      continue;
    }
    const { name, description, data: bytes } = line.artifact;
    const isOver = artifacts.length >= MOST;
    if (!isOver) room -= bytes.byteLength;
    if (isOver || room < 0) missing.push({ name, reason: isOver ? "too many" : "no room" });
    else artifacts.push({ name, description, bytes });
  }
  return { artifacts, missing };
}

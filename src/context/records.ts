import { z } from "zod";

import { INLINE_FORMATS, type SlotSpec, type TurnContract } from "../contract/index.js";
import type { Json } from "./json-value.js";

/** The form that records have. One of another form cannot be read by this release. */
export const FORMAT = 1;

const JsonSchema = z.custom<Json>((value) => value !== undefined);

/** A file that came with a turn: what the user attached, or what the answer has beside its slots. */
export const ContextFile = z.strictObject({
  /** By which paths name it; often its filename. */
  name: z.string(),
  filename: z.string(),
  mime: z.string(),
  /** Below `/workspace`; empty where it is nowhere. */
  path: z.string(),
  /** What it says, where that is known. */
  text: z.string(),
  summary: z.string(),
});
export type ContextFile = Readonly<z.infer<typeof ContextFile>>;

export const SlotSpecRecord = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("inline"), format: z.enum(INLINE_FORMATS), description: z.string() }),
  z.strictObject({
    type: z.literal("file"),
    mime: z.string(),
    filename_hint: z.string(),
    description: z.string(),
  }),
]);
export type SlotSpecRecord = Readonly<z.infer<typeof SlotSpecRecord>>;

/** The contract of a turn as it is kept, and as a model reads it. */
export function turnContractRecord(contract: TurnContract): Record<string, SlotSpecRecord> {
  return Object.fromEntries(Array.from(contract, ([name, spec]) => [name, slotRecord(spec)]));
}

function slotRecord(spec: SlotSpec): SlotSpecRecord {
  if (spec.type === "inline") return spec;
  const { type, mime, filenameHint, description } = spec;
  return { type, mime, filename_hint: filenameHint, description };
}

/** Where something bound into a call came from. */
export const LineageEntry = z.strictObject({
  /** The parameter that got it. */
  param: z.string(),
  path: z.string(),
  /** `turn_1.report@2`; null for what is no artifact. */
  artifact: z.string().nullable(),
});
export type LineageEntry = Readonly<z.infer<typeof LineageEntry>>;

/** How an artifact came to be. */
export const Provenance = z.strictObject({
  toolId: z.string(),
  /** The journal's entry of the call; null where nobody noted one. */
  callId: z.string().nullable(),
  /** Those of the calls that were made in its course. */
  innerCallIds: z.array(z.string()),
  /** Arguments of the call, large ones cut. */
  params: z.record(z.string(), JsonSchema),
  /** Which of the results of the call it is, from 0. */
  item: z.int(),
  /** The round of the loop; null outside of one. */
  round: z.int().nullable(),
  lineage: z.array(LineageEntry),
});
export type Provenance = Readonly<z.infer<typeof Provenance>>;

/** Why the result of a tool came to no artifact. */
export const ArtifactFailure = z.strictObject({
  where: z.string(),
  error: z.string(),
  description: z.string(),
  details: z.string(),
});
export type ArtifactFailure = Readonly<z.infer<typeof ArtifactFailure>>;

/** One version of what a tool made in a turn. */
export const ContextArtifact = z.strictObject({
  turnId: z.string(),
  id: z.string(),
  /** Counted from 1; a second artifact of one id in a turn is its second version. */
  version: z.int(),
  /** Counts the artifacts of the turn. */
  order: z.int(),
  /** `sources`: what a search or a fetch returned. */
  kind: z.enum(["inline", "file", "sources"]),
  format: z.string().nullable(),
  mime: z.string().nullable(),
  description: z.string(),
  summary: z.string(),
  /** What paths below `.value` walk. */
  value: JsonSchema,
  /** As people read it; of a file what it is said to say. */
  text: z.string(),
  /** Below `/workspace`; null for what is no file. */
  path: z.string().nullable(),
  filename: z.string().nullable(),
  /** Bytes of the file. */
  size: z.int().nullable(),
  /** Why it cannot be used; null where it can. */
  error: ArtifactFailure.nullable(),
  draft: z.boolean(),
  gaps: z.string().nullable(),
  /** The sources that it rests on. */
  sids: z.array(z.int()),
  /** Those of them that nobody knows. */
  unresolvedSids: z.array(z.int()),
  warnings: z.array(z.string()),
  provenance: Provenance,
  /** Milliseconds since 1970. */
  time: z.number(),
});
export type ContextArtifact = Readonly<z.infer<typeof ContextArtifact>>;

/** What a slot was filled with, and from where. */
export const Slot = z.strictObject({
  name: z.string(),
  kind: z.enum(["inline", "file"]),
  /** `slot:<name>`. */
  resourceId: z.string(),
  format: z.string().nullable(),
  mime: z.string().nullable(),
  text: z.string(),
  /** Below `/workspace`; empty for a draft of a file that is only text yet; null for an inline slot. */
  path: z.string().nullable(),
  filename: z.string().nullable(),
  summary: z.string(),
  description: z.string(),
  draft: z.boolean(),
  gaps: z.string().nullable(),
  sids: z.array(z.int()),
  warnings: z.array(z.string()),
  /** The path that it was filled from. */
  mappedFrom: z.string(),
  /** `report@1`; null where it came from no artifact. */
  mappedArtifactId: z.string().nullable(),
  /** The artifact's; null where it came from none. */
  provenance: Provenance.nullable(),
  round: z.int().nullable(),
  /** Milliseconds since 1970. */
  time: z.number(),
});
export type Slot = Readonly<z.infer<typeof Slot>>;

/** A mapping that was asked for. */
const MappingNote = z.strictObject({
  slot: z.string(),
  path: z.string(),
  /** Null where it was applied. */
  refused: z.string().nullable(),
});

/** A call of which nothing is known yet but that it has begun: enough to say so where the page went meanwhile. */
export const BegunCall = z.strictObject({
  /** By which the journal knows the calls of the loop. */
  runId: z.string(),
  /** Arguments of the call, large ones cut. */
  params: z.record(z.string(), JsonSchema),
  /** What it is to make. */
  expected: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string().exactOptional(),
      kind: z.enum(["inline", "file"]).exactOptional(),
    }),
  ),
  lineage: z.array(LineageEntry),
});
export type BegunCall = Readonly<z.infer<typeof BegunCall>>;

/** What happened in one round of the loop, as it is kept. */
export const RoundNote = z.strictObject({
  /** Counted from 1 through the whole turn. */
  number: z.int(),
  action: z.string(),
  strategy: z.string(),
  focusSlot: z.string(),
  notes: z.string(),
  toolId: z.string().nullable(),
  callId: z.string().nullable(),
  /** `report@1`: what the call made. */
  artifacts: z.array(z.string()),
  /** Codes of what was wrong, and whether it stopped the call. */
  violations: z.array(z.strictObject({ code: z.string(), isRed: z.boolean(), message: z.string() })),
  mappings: z.array(MappingNote),
  /** The call of the round while it is under way; nobody noted its end where it is still there. */
  begun: BegunCall.exactOptional(),
  /** Milliseconds since 1970. */
  time: z.number(),
});
export type RoundNote = Readonly<z.infer<typeof RoundNote>>;

/** Rounds of one slot, by what they are for. */
const Rounds = z.number().exactOptional();
export const SlotBudget = z.strictObject({ explore: Rounds, exploit: Rounds, render: Rounds, contextReads: Rounds });

/** What whoever works on a turn may still do in it: what was granted, and what has been used of it since it began. */
export const TurnBudget = z.strictObject({
  /** By slot, where somebody said it. */
  granted: z.record(z.string(), SlotBudget),
  spent: z.strictObject({
    rounds: z.int(),
    calls: z.int(),
    reruns: z.int(),
    contextReads: z.int(),
    /** By slot. */
    stages: z.record(z.string(), z.strictObject({ explore: z.int(), exploit: z.int(), render: z.int() })),
  }),
});
export type TurnBudget = Readonly<z.infer<typeof TurnBudget>>;

/** How a turn was left. */
export const TurnEnd = z.strictObject({
  exit: z.string(),
  status: z.string(),
  /** Milliseconds since 1970. */
  time: z.number(),
  /** The turn's `result.json`. */
  result: JsonSchema,
});
export type TurnEnd = Readonly<z.infer<typeof TurnEnd>>;

/** A turn without its artifacts, which are records of their own. */
export const TurnRecord = z.strictObject({
  record: z.literal(FORMAT),
  id: z.string(),
  /** Grows from turn to turn. */
  order: z.number(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  prompt: z.string(),
  attachments: z.array(ContextFile),
  /** What the user was answered; null before that. */
  completion: z.string().nullable(),
  files: z.array(ContextFile),
  /** Null before anybody said what the turn promises. */
  contract: z.record(z.string(), SlotSpecRecord).nullable(),
  slots: z.array(Slot),
  rounds: z.array(RoundNote),
  /** Missing before the first round, and in records of releases that did not keep it. */
  budget: TurnBudget.exactOptional(),
  /** Null while it goes on, and again once it was reopened. */
  end: TurnEnd.nullable(),
});
export type TurnRecord = Readonly<z.infer<typeof TurnRecord>>;

export const ArtifactRecord = z.strictObject({ record: z.literal(FORMAT), artifact: ContextArtifact });

/** A source that texts of the context can cite. */
export const SourceRecord = z.strictObject({
  record: z.literal(FORMAT),
  sid: z.int().positive(),
  url: z.string(),
  title: z.string(),
  text: z.string(),
  mime: z.string().exactOptional(),
  filename: z.string().exactOptional(),
});

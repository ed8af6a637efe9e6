import { z } from "zod";

import { textUpTo, TrustLevel, type Value } from "../protocol/index.js";

/** A parameter of a skill's `run`. `type` is a JSON Schema type name. */
export const SkillParameter = z.object({
  name: z.string().max(200),
  type: z.enum(["string", "integer", "number", "boolean", "array", "object"]),
  description: textUpTo(2000),
  required: z.boolean(),
  /** Absent when there is none, or when its source text has no JSON value. */
  default: z.custom<Value>().optional(),
});
export type SkillParameter = z.infer<typeof SkillParameter>;

/** A piece of Python with a `run` function, kept under a name. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly parameters: readonly SkillParameter[];
  /** Changes whenever description or source does: 16 hexadecimal digits. */
  readonly hash: string;
  /** Starts at 1 and grows with each overwrite. */
  readonly version: number;
  /** The level of the session that wrote it; absent for one that a person or the site put there. */
  readonly trust?: TrustLevel;
}

/** A skill that was found, with how well it fits the query. */
export interface ScoredSkill extends Skill {
  /** From 0, nothing in common with the query, to 1, its exact name. */
  readonly score: number;
}

/** What an overwritten skill was. */
export interface SkillVersion {
  readonly version: number;
  readonly description: string;
  readonly source: string;
  readonly savedAt: Date;
}

/** What reading the source, without running it, gives. */
export interface SkillInspection {
  /** From the docstrings; empty when there are none. */
  readonly description: string;
  readonly parameters: readonly SkillParameter[];
  /** Whoever read it may have been tampered with: it counts in this session, and is not stored unless a person sees it. */
  readonly isDoubtful?: boolean;
}

/**
 * Reads a skill's source without running it.
 *
 * @throws {SkillSyntaxError} when it is not Python.
 * @throws {SkillValidationError} when it has no usable `run`.
 */
export type SkillInspector = (name: string, source: string) => Promise<SkillInspection>;

/** A skill was saved, or deleted. */
export type SkillChange =
  | { readonly kind: "saved"; readonly name: string; readonly skill: Skill }
  | { readonly kind: "deleted"; readonly name: string };

/** What is stored beside a source. It counts for the source of that hash only. */
export const SkillRecord = z.object({
  sourceHash: z.string(),
  description: z.string(),
  parameters: z.array(SkillParameter),
  version: z.int().positive(),
  savedAt: z.iso.datetime(),
  trust: TrustLevel.optional(),
});
export type SkillRecord = z.infer<typeof SkillRecord>;

export const VersionRecord = z.object({
  version: z.int().positive(),
  description: z.string(),
  source: z.string(),
  savedAt: z.iso.datetime(),
});

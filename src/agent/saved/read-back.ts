import type { z } from "zod";

/** By its kind, what fields a member of a union has. */
type FieldsByKind<Union extends Record<Tag, string>, Tag extends PropertyKey> = {
  [Member in Union as Member[Tag]]: keyof Member;
};

/** Whether both are the same. */
type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;

/**
 * The schema of what was written as `Union`, whose members are told apart by `Tag`. A member or a field that is written
 * and could not be read back does not compile, nor does one that is read and never written.
 */
export type ReadBack<
  Union extends Record<Tag, string>,
  Tag extends PropertyKey,
  Schema extends z.ZodType<Record<Tag, string>>,
> = Same<FieldsByKind<Union, Tag>, FieldsByKind<z.output<Schema>, Tag>> extends true ? z.ZodType<Union> : never;

/** The same of a single form, such as the result of a run. */
export type ReadBackForm<Form, Schema extends z.ZodType> =
  Same<keyof Form, keyof z.output<Schema>> extends true ? z.ZodType<Form> : never;

/** A schema of words that knows each of them. */
export type ReadBackWord<Word extends string, Schema extends z.ZodType<string>> =
  Same<Word, z.output<Schema>> extends true ? Schema : never;

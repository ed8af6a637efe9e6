import { z } from "zod";

import type { JsonSchema } from "../../../tools/index.js";

/** What a form is filled in with, by field. */
export type FormContent = Readonly<Record<string, string | number | boolean | string[]>>;

export interface FormOption {
  readonly value: string;
  readonly label: string;
}

/** One thing that is asked for. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
} & (
  | {
      readonly kind: "text";
      readonly format: "email" | "uri" | "date" | "date-time" | null;
      readonly minLength: number;
      readonly maxLength: number;
    }
  | { readonly kind: "number"; readonly isWhole: boolean; readonly minimum: number; readonly maximum: number }
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly options: readonly FormOption[] }
  | {
      readonly kind: "choices";
      readonly options: readonly FormOption[];
      readonly minItems: number;
      readonly maxItems: number;
    }
);

/** What a field holds while it is filled in: its text, the option that is chosen, whether it is ticked, or all that are. */
export type FieldValue = string | boolean | readonly string[];

/** A server asks for more, or otherwise, than a form can have. */
class UnreadableFormError extends Error {
  override readonly name = "UnreadableFormError";
}

/** More than a person fills in, or looks through. */
const MOST_FIELDS = 50;
const MOST_OPTIONS = 200;

const Count = z.number().int().nonnegative();
const Common = z.object({ title: z.string().optional(), description: z.string().default("") });
const Titled = z.array(z.object({ const: z.string(), title: z.string() }));
const Enum = z.array(z.string());
const Property = z.union([
  Common.extend({
    type: z.literal("string"),
    enum: Enum,
    enumNames: z.array(z.string()).default([]),
    default: z.string().optional(),
  }),
  Common.extend({ type: z.literal("string"), oneOf: Titled, default: z.string().optional() }),
  Common.extend({
    type: z.literal("string"),
    format: z.string().optional(),
    minLength: Count.default(0),
    maxLength: Count.default(Infinity),
    default: z.string().default(""),
  }),
  Common.extend({
    type: z.enum(["number", "integer"]),
    minimum: z.number().default(-Infinity),
    maximum: z.number().default(Infinity),
    default: z.number().optional(),
  }),
  Common.extend({ type: z.literal("boolean"), default: z.boolean().default(false) }),
  Common.extend({
    type: z.literal("array"),
    items: z.union([z.object({ enum: Enum }), z.object({ anyOf: Titled })]),
    minItems: Count.default(0),
    maxItems: Count.default(Infinity),
    default: z.array(z.string()).default([]),
  }),
]);
type Property = z.infer<typeof Property>;

const Requested = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

/** What an MCP server asks a person to fill in, and what they have filled in so far. */
export class ElicitationForm {
  readonly fields: readonly FormField[];
  /** Why the schema cannot be shown as a form; empty where it can. */
  readonly problem: string;
  readonly #values = new Map<string, FieldValue>();

  constructor(schema: JsonSchema) {
    const fields: FormField[] = [];
    let problem = "";
    try {
      for (const { field, value } of readSchema(schema)) {
        fields.push(field);
        this.#values.set(field.name, value);
      }
    } catch (error) {
      if (!(error instanceof UnreadableFormError)) throw error;
      problem = error.message;
    }
    this.fields = problem === "" ? fields : [];
    this.problem = problem;
  }

  value(name: string): FieldValue {
    return this.#values.get(name) ?? "";
  }

  set(name: string, value: FieldValue): void {
    this.#values.set(name, value);
  }

  /** What is wrong with it, by field, in the order of the fields. Empty: it can be sent. */
  problems(): ReadonlyMap<string, string> {
    const found = this.fields.map((field) => [field.name, problemOf(field, this.value(field.name))] as const);
    return new Map(found.filter(([, problem]) => problem !== ""));
  }

  /** What is sent: fields that are left empty are not in it. To be asked for where there is no problem. */
  content(): FormContent {
    const filled = this.fields.flatMap((field): [string, string | number | boolean | string[]][] => {
      const value = this.value(field.name);
      if (typeof value === "boolean") return [[field.name, value]];
      if (typeof value !== "string") return value.length === 0 && !field.isRequired ? [] : [[field.name, [...value]]];
      if (value === "" && !(field.isRequired && field.kind === "choice")) return [];
      return [[field.name, contentOf(field, value)]];
    });
    return Object.fromEntries(filled);
  }
}

function contentOf(field: FormField, text: string): string | number {
  if (field.kind === "number") return Number(text);
  // The page's own time zone is what was meant.
  if (field.kind === "text" && field.format === "date-time") return new Date(text).toISOString();
  return text;
}

function readSchema(schema: JsonSchema): { readonly field: FormField; readonly value: FieldValue }[] {
  const requested = Requested.safeParse(schema);
  if (!requested.success) throw new UnreadableFormError("What it asks for is no list of fields.");
  const { properties, required } = requested.data;
  const entries = Object.entries(properties);
  if (entries.length > MOST_FIELDS) {
    throw new UnreadableFormError(
      `It asks for ${entries.length.toLocaleString("en-US")} fields; a form of this page has ${String(MOST_FIELDS)} at most.`,
    );
  }
  const areRequired = new Set(required);
  return entries.map(([name, raw]) => {
    const property = Property.safeParse(raw);
    if (!property.success) {
      throw new UnreadableFormError("It asks for something other than texts, numbers, yes or no, and choices.");
    }
    return fieldOf(property.data, { name, isRequired: areRequired.has(name) });
  });
}

function fieldOf(
  property: Property,
  { name, isRequired }: { readonly name: string; readonly isRequired: boolean },
): { readonly field: FormField; readonly value: FieldValue } {
  const { title, description } = property;
  const common = { name, label: title ?? name, description, isRequired };
  switch (property.type) {
    case "boolean":
      return { field: { ...common, kind: "boolean" }, value: property.default };
    case "array": {
      const { items, minItems, maxItems, default: chosen } = property;
      const options = optionsOf("enum" in items ? items.enum.map(plainOption) : items.anyOf.map(titledOption));
      const known = chosen.filter((value) => options.some((option) => option.value === value));
      return { field: { ...common, kind: "choices", options, minItems, maxItems }, value: known };
    }
    case "string": {
      if ("enum" in property || "oneOf" in property) {
        const options = optionsOf(
          "enum" in property
            ? property.enum.map((value, index) => ({ value, label: property.enumNames[index] ?? value }))
            : property.oneOf.map(titledOption),
        );
        const isKnown = options.some(({ value }) => value === property.default);
        return { field: { ...common, kind: "choice", options }, value: isKnown ? (property.default ?? "") : "" };
      }
      const { minLength, maxLength } = property;
      const format = FORMATS.find((known) => known === property.format) ?? null;
      const value = format === "date-time" ? localTime(property.default) : property.default;
      return { field: { ...common, kind: "text", format, minLength, maxLength }, value };
    }
    case "number":
    case "integer": {
      const { minimum, maximum, default: value } = property;
      const isWhole = property.type === "integer";
      return { field: { ...common, kind: "number", isWhole, minimum, maximum }, value: value?.toString() ?? "" };
    }
  }
}

const FORMATS = ["email", "uri", "date", "date-time"] as const;

function plainOption(value: string): FormOption {
  return { value, label: value };
}

function titledOption({ const: value, title }: { readonly const: string; readonly title: string }): FormOption {
  return { value, label: title };
}

function optionsOf(options: readonly FormOption[]): readonly FormOption[] {
  if (options.length <= MOST_OPTIONS) return options;
  throw new UnreadableFormError(
    `It offers ${options.length.toLocaleString("en-US")} choices; a form of this page shows ${String(MOST_OPTIONS)} at most.`,
  );
}

/** As the field of a form has it: `2026-02-03T04:05`, without a zone. */
function localTime(text: string): string {
  const time = new Date(text);
  if (text === "" || Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What is wrong with a field, as a sentence; empty where nothing is. */
function problemOf(field: FormField, value: FieldValue): string {
  if (typeof value === "boolean") return "";
  if (typeof value !== "string") return field.kind === "choices" ? choicesProblem(field, value) : "";
  if (value === "") return field.isRequired ? (field.kind === "choice" ? "Choose one." : "Fill this in.") : "";
  if (field.kind === "number") return numberProblem(field, value);
  return field.kind === "text" ? textProblem(field, value) : "";
}

function choicesProblem(
  { isRequired, minItems, maxItems }: Extract<FormField, { kind: "choices" }>,
  { length }: readonly string[],
): string {
  if (length === 0 && !isRequired) return "";
  if (length < minItems) return `Choose at least ${String(minItems)}.`;
  return length > maxItems ? `Choose at most ${String(maxItems)}.` : "";
}

function numberProblem({ isWhole, minimum, maximum }: Extract<FormField, { kind: "number" }>, text: string): string {
  const number = Number(text);
  const isNumber = text.trim() !== "" && Number.isFinite(number) && (!isWhole || Number.isInteger(number));
  if (isNumber && number >= minimum && number <= maximum) return "";
  const range = [
    minimum === -Infinity ? "" : ` from ${String(minimum)}`,
    maximum === Infinity ? "" : ` up to ${String(maximum)}`,
  ].join("");
  return `Enter a ${isWhole ? "whole " : ""}number${range}.`;
}

function textProblem({ format, minLength, maxLength }: Extract<FormField, { kind: "text" }>, text: string): string {
  // As JSON Schema counts: characters, not the halves of which some are made.
  const { length } = Array.from(text);
  if (length < minLength) return `Write at least ${String(minLength)} characters.`;
  if (length > maxLength) return `Write at most ${String(maxLength)} characters; these are ${String(length)}.`;
  switch (format) {
    case "email":
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? "" : "Enter an e-mail address, like name@example.org.";
    case "uri":
      return URL.canParse(text) ? "" : "Enter a whole address, like https://example.org/page.";
    case "date":
      return isDate(text) ? "" : "Enter a date, like 2026-02-28.";
    case "date-time":
      return Number.isNaN(new Date(text).getTime()) ? "Enter a date and a time." : "";
    case null:
      return "";
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(text);
  // Of the 31st of a month that has 30 days JavaScript makes the first of the next.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * The part of Standard Schema (https://standardschema.dev, version 1) that is used here: what zod, valibot, ArkType and
 * others have in common.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown, options?: never) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Of libraries that can say a schema in JSON Schema. @throws {Error} for parts that cannot be said. */
    readonly jsonSchema?: StandardJsonSchema | undefined;
  };
}

/** What a schema makes of a value, or has against it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** What a schema has against a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardJsonSchema = Readonly<
  Record<"input" | "output", (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>>
>;

export function isStandardSchema(value: object): value is StandardSchema {
  return "~standard" in value;
}

/** What the schema's own library says of it in JSON Schema; undefined where it cannot. */
export function jsonSchemaOf(schema: StandardSchema, side: "input" | "output"): Record<string, unknown> | undefined {
  const { jsonSchema } = schema["~standard"];
  try {
    return jsonSchema?.[side]({ target: "draft-2020-12" });
  } catch {
    // It has parts that JSON Schema cannot say. The library itself checks them all the same.
    return undefined;
  }
}

/** The keys from the whole value to what an issue is about. */
export function issuePath({ path = [] }: StandardIssue): (string | number)[] {
  return path.map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return typeof key === "number" ? key : String(key);
  });
}

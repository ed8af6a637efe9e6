import type { Value } from "../protocol/index.js";

/** The keywords of JSON Schema that Vitrine reads; others are carried along. */
export interface JsonSchema {
  /** A schema of the same document: `#/$defs/Address`. */
  readonly $ref?: string | undefined;
  readonly $defs?: { readonly [name: string]: JsonSchema | boolean } | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly default?: Value;
  readonly enum?: readonly Value[] | undefined;
  readonly const?: Value;
  readonly items?: JsonSchema | boolean | undefined;
  readonly properties?: { readonly [name: string]: JsonSchema } | undefined;
  readonly required?: readonly string[] | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly [keyword: string]: unknown;
}

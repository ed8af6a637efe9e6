import type { Value } from "../protocol/index.js";

interface NamedTypes {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

/** What a common JSON Schema lets through, where its text is known to the compiler. What is not understood is any value. */
export type JsonSchemaType<S> = S extends { readonly const: infer Only extends Value }
  ? Only
  : S extends { readonly enum: readonly (infer Each extends Value)[] }
    ? Each
    : S extends { readonly type: infer Type }
      ? OfType<Type extends readonly (infer Each)[] ? Each : Type, S>
      : S extends { readonly anyOf: readonly (infer Each)[] } | { readonly oneOf: readonly (infer Each)[] }
        ? JsonSchemaType<Each>
        : Value;

type OfType<Type, S> = Type extends keyof NamedTypes
  ? NamedTypes[Type]
  : Type extends "array"
    ? S extends { readonly items: infer Items }
      ? readonly JsonSchemaType<Items>[]
      : readonly Value[]
    : Type extends "object"
      ? ObjectType<S>
      : Value;

type ObjectType<S> = S extends { readonly properties: infer Properties }
  ? {
      readonly [K in keyof Properties as K extends Needed<S, Properties> ? K : never]: JsonSchemaType<Properties[K]>;
    } & {
      readonly [K in keyof Properties as K extends Needed<S, Properties> ? never : K]?: JsonSchemaType<Properties[K]>;
    }
  : Readonly<Record<string, Value>>;

/** Those that are required, and those whose default is filled in. */
type Needed<S, Properties> =
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | { [K in keyof Properties]: Properties[K] extends { readonly default: Value } ? K : never }[keyof Properties];

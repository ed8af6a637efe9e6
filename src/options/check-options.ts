import { closestName } from "./closest-name.js";
import { OptionError } from "./option-error.js";

/** The kinds of values, as `|` joins them and `?` ends those that may be left out: `"number|null?"`. */
const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  function: "a function",
  array: "an array",
  object: "an object",
  null: "null",
  Uint8Array: "a Uint8Array",
  Map: "a Map",
};

type KindOf<V> = V extends string
  ? "string"
  : V extends number
    ? "number"
    : V extends boolean
      ? "boolean"
      : V extends null
        ? "null"
        : V extends bigint
          ? "bigint"
          : V extends readonly unknown[]
            ? "array"
            : V extends (...args: never[]) => unknown
              ? "function"
              : "object";

/** The kinds in whatever order. */
type Joined<K extends string, Each extends K = K> = Each extends Each
  ? [Exclude<K, Each>] extends [never]
    ? Each
    : `${Each}|${Joined<Exclude<K, Each>>}`
  : never;

/** Session values, and what has no type, can be anything. */
type Spelled<V> = unknown extends V ? "any" : "bigint" extends KindOf<V> ? "any" : Joined<KindOf<V>> | "any";

/** The names of all members of a union. */
type NameIn<T> = T extends unknown ? keyof T & string : never;
type ValueAt<T, K> = T extends unknown ? (K extends keyof T ? Exclude<T[K], undefined> : never) : never;
type IsNeeded<T, K extends string> = T extends unknown
  ? K extends keyof T
    ? Partial<Pick<T, K>> extends Pick<T, K>
      ? false
      : true
    : false
  : never;

type KindAt<T, K extends string> = [IsNeeded<T, K>] extends [true]
  ? Spelled<ValueAt<T, K>>
  : `${Spelled<ValueAt<T, K>>}?` | (KindOf<ValueAt<T, K>> extends "object" ? OptionKinds<ValueAt<T, K>> : never);

/**
 * Each option of a type, with the kinds of values that it takes. A table in the place of a kind is that of an object that
 * may be left out. An option that is missing here, or that takes more than is said here, does not compile.
 */
export type OptionKinds<T> = { readonly [K in NameIn<T>]: KindAt<T, K> };

/** Throws an {@link OptionError} where something is wrong. */
export type OptionCheck = (given: unknown) => void;

interface Table {
  readonly [option: string]: string | Table;
}

/** What looks over the options of one function before they are used. `of` names the function, as its callers write it. */
export function optionCheck<T>(of: string, kinds: OptionKinds<T>): OptionCheck {
  const table: Table = { ...kinds };
  return (given) => {
    checkTable(of, "", given, table);
  };
}

/** Looks over an argument that has a place and no name. @throws {OptionError} */
export function checkArgument(of: string, option: string, given: unknown, kinds: string): void {
  const known = kinds.replace("?", "").split("|");
  if (known.includes("any") ? given !== undefined : known.includes(kindOf(given))) return;
  if (given === undefined && kinds.endsWith("?")) return;
  const wanted = known.map((kind) => KINDS[kind] ?? kind).join(" or ");
  const problem =
    given === undefined ? `\`${option}\` is missing` : `\`${option}\` must be ${wanted}, not ${inWords(given)}`;
  throw new OptionError(
    given === undefined && !known.includes("any") ? `${problem}: it must be ${wanted}.` : `${problem}.`,
    { of, option, accepted: known },
  );
}

function checkTable(of: string, inside: string, given: unknown, table: Table): void {
  if (given !== undefined) checkArgument(of, inside || "options", given, "object");
  const values = new Map<string, unknown>(typeof given === "object" && given !== null ? Object.entries(given) : []);
  for (const option of values.keys()) {
    if (!Object.hasOwn(table, option)) throw unknownOption(of, inside, option, Object.keys(table));
  }
  for (const [option, kinds] of Object.entries(table)) {
    const path = inside === "" ? option : `${inside}.${option}`;
    const value = values.get(option);
    if (typeof kinds === "string") checkArgument(of, path, value, kinds);
    else if (value !== undefined) checkTable(of, path, value, kinds);
  }
}

function unknownOption(of: string, inside: string, option: string, accepted: readonly string[]): OptionError {
  const meant = closestName(option, accepted);
  const where = inside === "" ? "There is" : `\`${inside}\` has`;
  const instead = meant === undefined ? "" : ` Did you mean \`${meant}\`?`;
  const problem = `${where} no option \`${option}\`.${instead} The options are ${accepted.join(", ")}.`;
  return new OptionError(problem, { of, option: inside === "" ? option : `${inside}.${option}`, meant, accepted });
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isNaN(value) ? "NaN" : typeof value;
}

/** The kind alone: what was given may be a secret. */
function inWords(value: unknown): string {
  const kind = kindOf(value);
  return kind === "boolean" ? String(value) : (KINDS[kind] ?? kind);
}

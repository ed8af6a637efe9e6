import {
  isOpaque,
  isRecord,
  pythonTypeOf,
  shorten,
  Slices,
  stepped,
  type Steps,
  type Value,
} from "../protocol/index.js";

import { findParameter, nameArguments } from "./arguments.js";
import type { ToolCallable } from "./definition.js";
import { ToolArgumentError } from "./errors.js";
import { shortPythonRepr } from "./python/python-repr.js";
import { SchemaLocation } from "./schema-location.js";

type Arguments = Readonly<Record<string, Value>>;

/** Values between two looks at the clock. */
const PARTS = 500;
/** Characters of a key, or of the name of a class, that a message shows. */
const SHOWN = 60;

/**
 * Refuses arguments that hold an object which has no counterpart outside of Python, at a location whose schema does not take
 * anything there is. All others are validated.
 *
 * @throws {ToolArgumentError} naming the location.
 */
export async function refuseOpaque(
  { toolName, callable, args }: { toolName: string; callable: ToolCallable | null; args: Arguments },
  validate: () => Arguments | Promise<Arguments>,
): Promise<Arguments> {
  const found = await stepped(new OpaqueSearch().inArguments(callable, args), new Slices());
  if (found === undefined) return validate();
  // Names are looked at before values; and where nothing is known of an argument, the call as a whole may be wrong.
  if (callable === null || !found.isKnown || !hasRightNames(toolName, callable, args)) await validate();
  throw new ToolArgumentError(toolName, refusal(found), { args, parameter: found.argument });
}

function hasRightNames(toolName: string, callable: ToolCallable, args: Arguments): boolean {
  try {
    nameArguments(toolName, callable, args);
    return true;
  } catch {
    return false;
  }
}

/** The way to a part of an argument, from the part. */
interface Way {
  readonly before: Way | undefined;
  readonly container: object;
  readonly key: Value;
  /** Whether the part is the key itself. */
  readonly isKey?: boolean;
}

interface Opaque {
  readonly type: string;
  readonly way: Way | undefined;
  readonly location: SchemaLocation;
}

interface OpaqueInArgument extends Opaque {
  readonly argument: string;
  readonly isKnown: boolean;
}

const UNKNOWN = new SchemaLocation({}, []);
const ANYTHING = new SchemaLocation({}, [true]);

/** Looks for the first object that has no counterpart, some values at a time. The codec bounds how deep it goes. */
class OpaqueSearch {
  #parts = 0;

  *inArguments(callable: ToolCallable | null, args: Arguments): Steps<OpaqueInArgument | undefined> {
    const { parameters = [], inputSchema } = callable ?? {};
    const whole = inputSchema === undefined ? UNKNOWN : new SchemaLocation(inputSchema, [inputSchema]);
    for (const argument in args) {
      if (this.#isTimeToRest()) yield;
      const value = args[argument];
      if (!isObject(value)) continue;
      const parameter = findParameter(parameters, argument);
      const schema = parameter?.schema;
      const otherwise = parameter === undefined ? whole.at(argument) : ANYTHING;
      const location = schema === undefined ? otherwise : new SchemaLocation(inputSchema ?? schema, [schema]);
      const found = yield* this.#in(value, location);
      if (found !== undefined) return { ...found, argument, isKnown: location.isKnown };
    }
    return undefined;
  }

  *#in(value: object & Value, location: SchemaLocation, way?: Way): Steps<Opaque | undefined> {
    if (location.takesAnything) return undefined;
    if (isOpaque(value)) return { type: pythonTypeOf(value) ?? "object", way, location };
    if (Array.isArray(value) || value instanceof Set)
      return yield* this.#inList(value as Iterable<Value>, location, way);
    if (value instanceof Map) return yield* this.#inMap(value as ReadonlyMap<Value, Value>, location, way);
    if (!isRecord(value)) return undefined;
    // Not `Object.entries`: a hundred thousand pairs made in one go would hold the page.
    for (const key in value) {
      if (this.#isTimeToRest()) yield;
      const item = value[key];
      if (!isObject(item)) continue;
      const found = yield* this.#in(item, location.at(key), { before: way, container: value, key });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  *#inList(items: Iterable<Value>, location: SchemaLocation, way: Way | undefined): Steps<Opaque | undefined> {
    let index = 0;
    for (const item of items) {
      if (this.#isTimeToRest()) yield;
      if (isObject(item)) {
        const found = yield* this.#in(item, location.item(index), { before: way, container: items, key: index });
        if (found !== undefined) return found;
      }
      index += 1;
    }
    return undefined;
  }

  *#inMap(map: ReadonlyMap<Value, Value>, location: SchemaLocation, way: Way | undefined): Steps<Opaque | undefined> {
    for (const [key, item] of map) {
      if (this.#isTimeToRest()) yield;
      const step = { before: way, container: map, key };
      const inKey = isObject(key) ? yield* this.#in(key, UNKNOWN, { ...step, isKey: true }) : undefined;
      if (inKey !== undefined) return inKey;
      // In JSON every key is text.
      const found = isObject(item) ? yield* this.#in(item, location.at(shortPythonRepr(key, SHOWN)), step) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #isTimeToRest(): boolean {
    this.#parts += 1;
    return this.#parts % PARTS === 0;
  }
}

function isObject(value: Value): value is object & Value {
  return typeof value === "object" && value !== null;
}

/** What crosses unless it lies in itself, or too deep. */
const CONTAINERS = new Set(["list", "tuple", "set", "frozenset", "dict"]);

/** `Argument 'rows', at [3]["when"]: a Fraction cannot be handed over. Pass a string instead.` */
function refusal({ argument, type, way, location }: OpaqueInArgument): string {
  const at = way === undefined ? "" : `, at ${wayText(way)}`;
  const isContainer = CONTAINERS.has(type);
  const instead = `Pass ${location.words ?? "plain data, such as text, numbers, lists or dicts,"} instead.`;
  const why = isContainer ? " that contains itself, or is nested too deeply," : "";
  const what = `${/^[aeiou]/i.test(type) ? "an" : "a"} ${shorten(type, SHOWN)}`;
  return `Argument '${shorten(argument, SHOWN)}'${at}: ${what}${why} cannot be handed over.${isContainer ? "" : ` ${instead}`}`;
}

function wayText(way: Way): string {
  return `${way.before === undefined ? "" : wayText(way.before)}${stepText(way)}`;
}

function stepText({ container, key, isKey = false }: Way): string {
  if (isKey) return "<key>";
  if (container instanceof Set) return "<member>";
  if (typeof key !== "string") return `[${shortPythonRepr(key, SHOWN)}]`;
  // The fields of a dataclass are attributes.
  const isField = isRecord(container) && pythonTypeOf(container) !== undefined;
  return isField ? `.${shorten(key, SHOWN)}` : `[${JSON.stringify(shorten(key, SHOWN))}]`;
}

import { decodeValue, isRecord, type CheckedArgument, type ToolUse, type Value } from "../protocol/index.js";
import {
  mismatch,
  parameterAlias,
  ToolArgumentError,
  ToolUnavailableError,
  type JsonSchema,
  type PreparedToolCall,
  type ToolParameter,
} from "../tools/index.js";
import { closestName } from "../options/index.js";
import type { FindingCode } from "./finding.js";

/** What a call would be refused for. */
export interface ArgumentProblem {
  readonly code: FindingCode;
  readonly message: string;
  /** Absent where it is the call as a whole. */
  readonly position?: CheckedArgument | undefined;
  readonly suggestion: string;
  readonly pythonType: string;
}

type Call = NonNullable<ToolUse["call"]>;

/** Milliseconds that a validator may take before it is not waited for. */
const LONGEST_VALIDATION = 500;

/**
 * One argument. `known`: its value stands in the code; `kind`: only its type is clear from it; `guess`: nothing is, and
 * the value is one that its parameter takes.
 */
interface Given {
  readonly key: string;
  readonly parameter: ToolParameter | undefined;
  readonly position: CheckedArgument | undefined;
  readonly value: Value;
  readonly how: "known" | "kind" | "guess";
}

/**
 * What the page would refuse a call for, asked of the tool's own validation. Values that only the run knows are stood in
 * for by some that fit, and what is said then counts only where it cannot come from those.
 */
export async function argumentProblem(prepared: PreparedToolCall, call: Call): Promise<ArgumentProblem | undefined> {
  const parameters = prepared.callable?.parameters ?? [];
  const named = nameAll(prepared, call);
  if ("problem" in named) return named.problem;
  const { given } = named;
  const standIns = call.isOpen
    ? parameters.filter(({ name, required }) => required && !given.some(({ parameter }) => parameter?.name === name))
    : [];
  const args = Object.fromEntries([
    ...given.map(({ key, value }) => [key, value] as const),
    ...standIns.map((parameter) => [parameter.name, sample(parameter)] as const),
  ]);
  const error = await refusal(prepared, args);
  if (error === undefined) return undefined;
  const isKnown = !call.isOpen && given.every(({ how }) => how === "known");
  if (error instanceof ToolUnavailableError) {
    return isKnown ? problemOf("TOOL_UNAVAILABLE", error) : undefined;
  }
  const about = error.details().parameter;
  const culprit = given.find(({ key, parameter }) => key === about || parameter?.name === about);
  if (culprit === undefined) {
    const isMissing = parameters.some(({ name, required }) => name === about && required);
    if (isMissing) return problemOf("MISSING_ARGUMENT", error);
    return isKnown ? problemOf("ARGUMENT_TYPE", error) : undefined;
  }
  // Names are looked at before values, whatever stands in for those.
  if (error.reason.startsWith("Unknown parameter")) return unknownArgument(error, culprit, { parameters, given });
  if (culprit.value === null && isKnown) return problemOf("MISSING_ARGUMENT", error, culprit.position);
  if (isKnown || (culprit.how !== "guess" && isMisfit(culprit))) {
    return problemOf("ARGUMENT_TYPE", error, culprit.position);
  }
  return undefined;
}

/** Fills positional arguments in, as Python's side does; it raises a TypeError where they do not go. */
function nameAll(prepared: PreparedToolCall, call: Call): { given: Given[] } | { problem: ArgumentProblem } {
  const parameters = prepared.callable?.parameters ?? [];
  const given: Given[] = [];
  for (const [index, argument] of call.positional.entries()) {
    const parameter = parameters[index];
    if (parameter === undefined) {
      // After a star it is not known which parameter this one is for.
      if (call.isOpen) break;
      const takes = prepared.callable === null ? "keyword arguments only" : `${String(parameters.length)} argument(s)`;
      const message = `tools.${prepared.name}() takes ${takes} but ${String(call.positional.length)} were given`;
      const suggestion = "Name the arguments.";
      return {
        problem: { code: "UNKNOWN_ARGUMENT", message, position: argument, suggestion, pythonType: "TypeError" },
      };
    }
    if (!call.isOpen) given.push(give(parameter.name, parameter, argument));
  }
  for (const [key, argument] of call.named) {
    const parameter = findParameter(parameters, key);
    if (parameter !== undefined && given.some((other) => other.parameter === parameter)) {
      const message = `tools.${prepared.name}() got multiple values for argument '${key}'`;
      const suggestion = "Give it once.";
      return {
        problem: { code: "UNKNOWN_ARGUMENT", message, position: argument, suggestion, pythonType: "TypeError" },
      };
    }
    given.push(give(key, parameter, argument));
  }
  return { given };
}

function give(key: string, parameter: ToolParameter | undefined, argument: CheckedArgument): Given {
  const about = { key, parameter, position: argument };
  if (argument.literal !== null) {
    return { ...about, value: decodeValue({ text: argument.literal, buffers: [] }), how: "known" };
  }
  const schema = parameter?.schema;
  if (
    argument.kind !== null &&
    schema !== undefined &&
    mismatch(typesOnly(schema), OF_KIND[argument.kind]) !== undefined
  ) {
    return { ...about, value: OF_KIND[argument.kind], how: "kind" };
  }
  return { ...about, value: parameter === undefined ? "x" : sample(parameter), how: "guess" };
}

const OF_KIND: Readonly<Record<NonNullable<CheckedArgument["kind"]>, Value>> = {
  string: "x",
  array: [],
  object: {},
  boolean: true,
};

/** What a value of that type cannot fit, whichever it is. */
function typesOnly({ type, anyOf, oneOf }: JsonSchema): JsonSchema {
  return anyOf === undefined && oneOf === undefined && type !== undefined ? { type } : {};
}

/** Whether the parameter's own schema refuses the value too, so that no stand-in is to blame. */
function isMisfit({ parameter, value }: Given): boolean {
  return parameter?.schema !== undefined && mismatch(parameter.schema, value) !== undefined;
}

async function refusal(
  prepared: PreparedToolCall,
  args: Readonly<Record<string, Value>>,
): Promise<ToolArgumentError | ToolUnavailableError | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const checked = prepared.validate(args);
    if (checked instanceof Promise) {
      checked.catch(() => undefined);
      await Promise.race([
        checked,
        new Promise((resolve) => {
          timer = setTimeout(resolve, LONGEST_VALIDATION);
        }),
      ]);
    }
    return undefined;
  } catch (error) {
    // What else a validator throws is no word on the arguments.
    return error instanceof ToolArgumentError || error instanceof ToolUnavailableError ? error : undefined;
  } finally {
    clearTimeout(timer);
  }
}

function problemOf(
  code: FindingCode,
  { message, name }: ToolArgumentError | ToolUnavailableError,
  position?: CheckedArgument,
): ArgumentProblem {
  return { code, message, suggestion: "", pythonType: name, ...(position === undefined ? {} : { position }) };
}

function unknownArgument(
  error: ToolArgumentError,
  { key, position }: Given,
  { parameters, given }: { readonly parameters: readonly ToolParameter[]; readonly given: readonly Given[] },
): ArgumentProblem {
  const free = parameters
    .filter((parameter) => !given.some((other) => other.parameter === parameter))
    .map(({ name, required }) => ({ alias: parameterAlias({ parameters }, name), required }));
  const meant = meantParameter(key, free);
  const suggestion = meant === undefined ? `Leave out \`${key}=\`.` : `Write \`${meant}=\`.`;
  return { ...problemOf("UNKNOWN_ARGUMENT", error, position), suggestion };
}

/**
 * The parameter that a name without one is for: the one that is called nearly so, whose name the other begins with
 * (`s` for `string`, `description` for `desc`), or the only one that the call still needs.
 */
function meantParameter(
  key: string,
  free: readonly { readonly alias: string; readonly required: boolean }[],
): string | undefined {
  const closest = closestName(
    key,
    free.map(({ alias }) => alias),
  );
  if (closest !== undefined) return closest;
  const wanted = key.toLowerCase();
  const begun = free.filter(({ alias }) => {
    const name = alias.toLowerCase();
    return name.startsWith(wanted) || wanted.startsWith(name);
  });
  const [only, ...others] = begun.length > 0 ? begun : free.filter(({ required }) => required);
  return others.length === 0 ? only?.alias : undefined;
}

function findParameter(parameters: readonly ToolParameter[], key: string): ToolParameter | undefined {
  return (
    parameters.find(({ name }) => name === key) ??
    parameters.find(({ name }) => name !== key && parameterAlias({ parameters }, name) === key)
  );
}

/** A value that the parameter takes, as far as its schema tells. */
function sample({ default: fallback, schema, type }: ToolParameter): Value {
  if (fallback !== undefined && fallback !== null) return fallback;
  return sampleOf(schema ?? { type });
}

function sampleOf(schema: JsonSchema): Value {
  if (schema.const !== undefined) return schema.const;
  const [first] = schema.enum ?? [];
  if (first !== undefined) return first;
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (isRecord(choice)) return sampleOf(choice);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type?.toLowerCase()) {
    case "integer":
    case "int":
    case "number":
    case "float":
      return typeof schema.minimum === "number" ? Math.ceil(schema.minimum) : 1;
    case "boolean":
    case "bool":
      return true;
    case "array":
    case "list":
      return [];
    case "object":
    case "dict":
      return {};
    case "null":
      return null;
    default:
      return "x".repeat(typeof schema.minLength === "number" ? Math.min(1000, Math.max(1, schema.minLength)) : 1);
  }
}

import { isOpaque, isRecord, type Value } from "../protocol/index.js";

import { callableAlias, callableByAlias, toolAlias } from "./python/aliases.js";
import { checkInput } from "./arguments.js";
import type { Tool, ToolAdapter, ToolCallable, ToolContext } from "./definition.js";
import { ToolArgumentError, type ToolCallError, UnknownCallableError } from "./errors.js";
import type { PreparedToolCall } from "./tool-directory.js";

type Arguments = Readonly<Record<string, Value>>;

/** Values that are looked at in one go: a millisecond. */
const MOST_AT_ONCE = 10_000;

/**
 * Finds what a call means. `wanted` null is `tools.x(…)`; `tool` counts, which may have more tags than the adapter's own.
 *
 * @throws {UnknownCallableError}
 */
export function prepareCall(
  { tool, adapter }: { readonly tool: Tool; readonly adapter: ToolAdapter },
  wanted: string | null,
): PreparedToolCall {
  const callable = findCallable(tool, wanted);
  const callableName = callable?.name ?? wanted;
  return {
    tool,
    callable,
    name: callableName === null || callableName === tool.name ? tool.name : `${tool.name}.${callableName}`,
    hints: callable?.hints === undefined ? tool.hints : { ...tool.hints, ...callable.hints },
    tags: tool.tags,
    validate(args) {
      const validate = (): Arguments | Promise<Arguments> => {
        if (adapter.validate !== undefined) return adapter.validate(callableName, args);
        if (callable === null) throw noEscapeHatch(tool);
        return checkInput(tool.name, callable, args);
      };
      if (!mayHoldOpaque(args)) return validate();
      return import("./opaque-arguments.js").then(({ refuseOpaque }) =>
        refuseOpaque({ toolName: tool.name, callable, args }, validate),
      );
    },
    invoke: (args, context) => callAdapter(adapter, { callableName, args, context }),
  };
}

/**
 * Whether arguments have to be searched for objects that have no counterpart: there is one in them, or there are too many
 * values to tell at once.
 */
function mayHoldOpaque(args: Arguments): boolean {
  const values: Value[] = [args];
  // The list grows while it is gone through.
  for (const value of values) {
    if (isOpaque(value)) return true;
    for (const part of partsOf(value)) if (values.push(part) > MOST_AT_ONCE) return true;
  }
  return false;
}

function* partsOf(value: Value): Generator<Value> {
  if (Array.isArray(value) || value instanceof Set) yield* value as Iterable<Value>;
  else if (value instanceof Map) for (const pair of value as ReadonlyMap<Value, Value>) yield* pair;
  // Not `Object.values`, which reads all of them although the first may be enough.
  else if (isRecord(value)) for (const key in value) yield value[key];
}

function findCallable(tool: Tool, wanted: string | null): ToolCallable | null {
  const name = wanted ?? tool.name;
  const found =
    tool.callables.find((callable) => callable.name === name) ??
    (wanted === null ? undefined : callableByAlias(tool, name));
  if (found !== undefined) return found;
  if (wanted === null || tool.dynamic === true) return null;
  throw new UnknownCallableError(
    tool.name,
    wanted,
    tool.callables.map((callable) => callableAlias(tool, callable.name)),
  );
}

interface AdapterCall {
  readonly callableName: string | null;
  readonly args: Arguments;
  readonly context: ToolContext;
}

async function callAdapter(adapter: ToolAdapter, { callableName, args, context }: AdapterCall): Promise<Value> {
  return adapter.call(callableName, args, context);
}

function noEscapeHatch(tool: Tool): ToolCallError {
  const choices = tool.callables.map((callable) => `tools.${toolAlias(tool)}.${callableAlias(tool, callable.name)}(…)`);
  const remedy = choices.length === 0 ? ", and has nothing that is" : `. Use ${choices.join(" or ")}`;
  return new ToolArgumentError(tool.name, `it is not called by itself${remedy}`);
}

import type { Value } from "../protocol/index.js";

import { callableAlias, callableByAlias, toolAlias } from "./python/aliases.js";
import { checkInput } from "./arguments.js";
import type { Tool, ToolAdapter, ToolCallable, ToolContext } from "./definition.js";
import { ToolArgumentError, type ToolCallError, UnknownCallableError } from "./errors.js";
import { mayHoldOpaque } from "./may-hold-opaque.js";
import type { PreparedToolCall } from "./tool-directory.js";

type Arguments = Readonly<Record<string, Value>>;

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

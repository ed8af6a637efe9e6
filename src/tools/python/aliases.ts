import type { Tool, ToolCallable, ToolParameter } from "../definition.js";
import { distinctAliases, pythonAttribute, pythonMethod, pythonParameter } from "./python-names.js";

/** The Python names of the parts of a definition, which never changes once it is made. */
const ofCallables = new WeakMap<readonly ToolCallable[], ReadonlyMap<string, string>>();
const ofParameters = new WeakMap<readonly ToolParameter[], ReadonlyMap<string, string>>();

/** Under which name Python reaches a tool. */
export function toolAlias({ name, alias }: Tool): string {
  return alias ?? pythonAttribute(name);
}

/** Under which name Python reaches a callable of a tool. */
export function callableAlias({ callables }: Pick<Tool, "callables">, name: string): string {
  return callableAliases(callables).get(name) ?? pythonMethod(name);
}

/** Under which name Python passes a parameter of a callable. */
export function parameterAlias({ parameters }: Pick<ToolCallable, "parameters">, name: string): string {
  return parameterAliases(parameters).get(name) ?? pythonParameter(name);
}

/** The callable that has this alias. */
export function callableByAlias({ callables }: Tool, alias: string): ToolCallable | undefined {
  const aliases = callableAliases(callables);
  return callables.find(({ name }) => aliases.get(name) === alias);
}

/** The parameter that has this alias. */
export function parameterByAlias(parameters: readonly ToolParameter[], alias: string): ToolParameter | undefined {
  const aliases = parameterAliases(parameters);
  return parameters.find(({ name }) => aliases.get(name) === alias);
}

function callableAliases(callables: readonly ToolCallable[]): ReadonlyMap<string, string> {
  return remembered(ofCallables, callables, () => distinctAliases(namesOf(callables), pythonMethod));
}

function parameterAliases(parameters: readonly ToolParameter[]): ReadonlyMap<string, string> {
  return remembered(ofParameters, parameters, () => distinctAliases(namesOf(parameters), pythonParameter));
}

function namesOf(named: readonly { readonly name: string }[]): string[] {
  return named.map(({ name }) => name);
}

function remembered<K extends object, V>(known: WeakMap<K, V>, key: K, make: () => V): V {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

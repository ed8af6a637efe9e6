import type { Tool, ToolCallable } from "../definition.js";
import { distinctAliases, pythonName } from "./python-names.js";
import { sha1 } from "./sha1.js";

/** Characters of a name; what is longer is cut, and its hash makes it another. */
const LONGEST = 64;
/** With which all of them begin. */
export const SERVER_PREFIX = "mcp__";

/** The names of each tool of a server, which never change once the server has listed them. */
const known = new WeakMap<readonly ToolCallable[], ReadonlyMap<string, ToolCallable>>();

/** The tools of an MCP server under the names that models know: `mcp__server__tool`. Of any other tool there are none. */
export function serverNames({ name: server, callables, isServer }: Tool): ReadonlyMap<string, ToolCallable> {
  if (isServer !== true) return new Map();
  const found = known.get(callables);
  if (found !== undefined) return found;
  const aliases = distinctAliases(
    callables.map(({ name }) => `${SERVER_PREFIX}${server}__${name}`),
    serverName,
  );
  const named = new Map(
    callables.flatMap((callable) => {
      const alias = aliases.get(`${SERVER_PREFIX}${server}__${callable.name}`);
      return alias === undefined ? [] : [[alias, callable] as const];
    }),
  );
  known.set(callables, named);
  return named;
}

/** As a Python name; one that is too long is its beginning with the SHA-1 of all of it. */
function serverName(name: string): string {
  const alias = pythonName(name);
  if (name.length <= LONGEST && alias.length <= LONGEST) return alias;
  const hash = sha1(name);
  return alias.slice(0, LONGEST - hash.length) + hash;
}

/** The servers on 127.0.0.1 that cases talk to; the page's address says where each of them is. */
export const serverNames = [
  /** test/servers/model-server.ts */
  "models",
  /** test/servers/tool-server.ts, and the same server on a port that sessions are not allowed to reach. */
  "tools",
  "toolsElsewhere",
  /** The official server-everything over Streamable HTTP and over SSE. */
  "everything",
  "everythingSse",
  /** test/servers/mcp/stateless-server.ts */
  "stateless",
  /** test/servers/mcp/scripted-server.ts */
  "scripted",
  /** test/servers/package-server.ts */
  "packages",
] as const;

export type ServerName = (typeof serverNames)[number];

/** @throws {Error} on a page that was opened without its servers. */
export function addressOf(name: ServerName): string {
  const address = knownAddress(name);
  if (address === null) throw new Error(`The page was not told where the server "${name}" is.`);
  return address;
}

/** Null where the page was opened without that server. */
export function knownAddress(name: ServerName): string | null {
  return new URLSearchParams(location.search).get(name);
}

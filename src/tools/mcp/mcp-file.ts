import { z } from "zod";

import { referencesIn, SecretReferenceError } from "../../secrets/index.js";

import { DEFAULT_TOOL_TIMEOUT, type ToolHints } from "../definition.js";
import { forbiddenHeaderReason } from "../requests/forbidden-headers.js";
import { HintsField, readHints } from "../yaml/hints-field.js";
import type { YamlSource } from "../yaml/yaml-source.js";

/** A tool file for an MCP server, as py-code-mode writes it. */
export interface McpToolFile {
  readonly kind: "mcp";
  readonly name: string;
  readonly description: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly tags: readonly string[];
  /** What the file says of every tool of the server. */
  readonly hints: ToolHints;
  readonly server:
    | {
        readonly transport: "stdio";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: ReadonlyMap<string, string>;
      }
    | {
        readonly transport: "sse" | "streamable_http";
        /** `https://…`, or a path of the page's own site; `${NAME}` refers to a secret, here and in headers. */
        readonly url: string;
        readonly headers: ReadonlyMap<string, string>;
      };
}

const Text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const McpFile = z.looseObject({
  name: z.string().min(1),
  // It is left out under `mcp_servers:`.
  type: z.literal("mcp").nullish(),
  description: Text,
  transport: z.enum(["stdio", "sse", "streamable_http"]).nullish(),
  command: z.string().min(1).nullish(),
  args: z.array(Scalar).nullish(),
  env: z.record(z.string(), Scalar).nullish(),
  url: z.string().min(1).nullish(),
  headers: z.record(z.string(), Scalar).nullish(),
  timeout: z.number().positive().nullish().describe("Seconds."),
  tags: z.array(Scalar).nullish(),
  hints: HintsField,
});

/**
 * Reads a tool file of `type: mcp`, or an entry of `mcp_servers:`.
 *
 * @throws {ToolFileError} naming file, line and field.
 */
export function parseMcpFile(source: YamlSource): McpToolFile {
  const file = source.parse(McpFile);
  return {
    kind: "mcp",
    name: file.name,
    description: file.description,
    timeout: inMilliseconds(file.timeout),
    tags: file.tags ?? [],
    hints: readHints(file.hints),
    server: readServer(source, file),
  };
}

function readServer(source: YamlSource, file: z.infer<typeof McpFile>): McpToolFile["server"] {
  const { command, url } = file;
  // py-code-mode's default is stdio; a file that has an address alone means its address.
  const transport =
    file.transport ?? (typeof url === "string" && typeof command !== "string" ? "streamable_http" : "stdio");
  if (transport === "stdio") {
    if (typeof command !== "string")
      throw source.error(["command"], "a server over stdio needs the command that starts it");
    return { transport, command, args: file.args ?? [], env: new Map(Object.entries(file.env ?? {})) };
  }
  if (typeof url !== "string") throw source.error(["url"], `a server over ${transport} needs its address`);
  checkUrl(source, url);
  const headers = Object.entries(file.headers ?? {});
  for (const [name, value] of headers) {
    const reason = forbiddenHeaderReason(name) ?? badReference(value);
    if (reason !== undefined) throw source.error(["headers", name], reason);
  }
  return { transport, url, headers: new Map(headers) };
}

function checkUrl(source: YamlSource, url: string): void {
  const refuse = (reason: string): Error => source.error(["url"], reason);
  const reason = badReference(url);
  if (reason !== undefined) throw refuse(reason);
  // What a reference stands for is not known yet; whether the rest is an address is.
  const filled = url.replace(/\$\{[^}]*\}/g, "x");
  if (filled.startsWith("//") || filled.includes("\\") || !URL.canParse(filled, "https://page.invalid/")) {
    throw refuse("write a whole URL with http:// or https://, or a path of the page's own site");
  }
  const { protocol, username, password } = new URL(filled, "https://page.invalid/");
  if (protocol !== "http:" && protocol !== "https:") throw refuse(`${protocol} cannot be fetched; use http: or https:`);
  if (username !== "" || password !== "") throw refuse("it must not hold a user name or a password; use `headers:`");
}

function badReference(text: string): string | undefined {
  try {
    referencesIn(text);
    return undefined;
  } catch (error) {
    if (error instanceof SecretReferenceError) return error.message;
    throw error;
  }
}

function inMilliseconds(seconds: number | null | undefined): number {
  return typeof seconds === "number" ? seconds * 1000 : DEFAULT_TOOL_TIMEOUT;
}

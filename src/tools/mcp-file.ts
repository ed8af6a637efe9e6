import { z } from "zod";

import { DEFAULT_TOOL_TIMEOUT } from "./definition.js";
import type { YamlSource } from "./yaml-source.js";

/** A tool file for an MCP server, as py-code-mode writes it. */
export interface McpToolFile {
  readonly kind: "mcp";
  readonly name: string;
  readonly description: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly tags: readonly string[];
  readonly server:
    | {
        readonly transport: "stdio";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: ReadonlyMap<string, string>;
      }
    | {
        readonly transport: "sse" | "streamable_http";
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
  type: z.literal("mcp"),
  description: Text,
  transport: z.enum(["stdio", "sse", "streamable_http"]).default("stdio"),
  command: z.string().min(1).nullish(),
  args: z.array(Scalar).nullish(),
  env: z.record(z.string(), Scalar).nullish(),
  url: z.url({ protocol: /^https?$/ }).nullish(),
  headers: z.record(z.string(), Scalar).nullish(),
  timeout: z.number().positive().nullish().describe("Seconds."),
  tags: z.array(Scalar).nullish(),
});

/**
 * Reads a tool file of `type: mcp`.
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
    server: readServer(source, file),
  };
}

function readServer(source: YamlSource, file: z.infer<typeof McpFile>): McpToolFile["server"] {
  const { transport, command, url } = file;
  if (transport === "stdio") {
    if (typeof command !== "string")
      throw source.error(["command"], "a server over stdio needs the command that starts it");
    return { transport, command, args: file.args ?? [], env: new Map(Object.entries(file.env ?? {})) };
  }
  if (typeof url !== "string") throw source.error(["url"], `a server over ${transport} needs its address`);
  return { transport, url, headers: new Map(Object.entries(file.headers ?? {})) };
}

function inMilliseconds(seconds: number | null | undefined): number {
  return typeof seconds === "number" ? seconds * 1000 : DEFAULT_TOOL_TIMEOUT;
}

import { isRecord, messageOf, type Value } from "../protocol/index.js";
import type { SessionClient } from "../session/index.js";
import { ToolNotFoundError, type Tool } from "../tools/index.js";
import { WRITE_CODE_NAME } from "../write-code/index.js";
import type { ClientTool, ClientToolResult } from "./client-tools.js";
import { MAX_TEXT } from "./render-run.js";
import { shortenMiddle } from "./shorten-middle.js";
import { inputAsSaid } from "./tool-input.js";

/** The tool that has files written by several models, where the session was opened with it and the client sees it. */
export function writingTools(
  client: SessionClient,
  { maxLength = MAX_TEXT }: { readonly maxLength?: number | undefined } = {},
): ClientTool[] {
  const tool = pagesTool(client);
  if (tool === undefined) return [];
  return [
    {
      name: tool.name,
      description: tool.description,
      input: inputAsSaid({ ...tool.callables[0]?.inputSchema }),
      hints: tool.hints,
      call: async (args, signal) => {
        try {
          // Session code may have defined a tool of that name since.
          if (pagesTool(client) === undefined) throw new ToolNotFoundError(tool.name, []);
          const given = isArguments(args) ? args : {};
          return textOf(await client.callTool(tool.name, given, signal === undefined ? {} : { signal }), maxLength);
        } catch (error) {
          return { text: shortenMiddle(messageOf(error), maxLength), isError: true, images: [] };
        }
      },
    },
  ];
}

/** What the session was opened with, and no tool of its code under that name. */
function pagesTool(client: SessionClient): Tool | undefined {
  return client.listTools().find(({ name, trust }) => name === WRITE_CODE_NAME && trust === undefined);
}

function isArguments(args: unknown): args is Readonly<Record<string, Value>> {
  return isRecord(args);
}

/** The answer as JSON. Where it is too long, the files say what was written, and it does not. */
function textOf(answer: Value, maxLength: number): ClientToolResult {
  const isError = isRecord(answer) && answer.error !== null;
  const whole = JSON.stringify(answer);
  const text = whole.length <= maxLength ? whole : JSON.stringify(answer, withoutCode);
  return { text: shortenMiddle(text, maxLength), isError, images: [] };
}

function withoutCode(key: string, value: unknown): unknown {
  return key === "code" && typeof value === "string" ? `(${String(value.length)} characters: read the file)` : value;
}

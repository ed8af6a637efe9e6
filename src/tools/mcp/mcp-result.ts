import type { CallToolResult, ContentBlock, GetPromptResult, ReadResourceResult } from "@modelcontextprotocol/client";

import { Content, type Value } from "../../protocol/index.js";
import { ToolCallError } from "../errors.js";
import { McpProtocolError } from "./mcp-errors.js";

/**
 * What a call of an MCP tool is worth to Python: its structured content where
 * there is any, else its text, parts joined by line breaks. Images, sounds and
 * resources are each a {@link Content}; one alone is the value, several parts
 * are a list, with structured content first.
 *
 * @throws {ToolCallError} with the text when the server says that the tool failed.
 */
export function resultOf(toolName: string, result: CallToolResult): Value {
  const parts = result.content.map((block) => contentOf(toolName, block));
  if (result.isError === true) throw failureOf(toolName, parts, result.structuredContent as Value);
  const texts = parts.filter((part) => typeof part === "string");
  const media = parts.filter((part) => typeof part !== "string");
  if (result.structuredContent !== undefined) {
    // Its text is the same once more, for clients that know no structured content.
    const structured = result.structuredContent as Value;
    return media.length === 0 ? structured : [structured, ...media];
  }
  if (media.length > 0) return parts.length === 1 ? parts[0] : parts;
  return texts.length === 0 ? null : texts.join("\n");
}

export function resourceOf(toolName: string, { contents }: ReadResourceResult): Value {
  const parts = contents.map((contents_) => resourceContent(toolName, contents_));
  return parts.length === 1 ? parts[0] : parts;
}

export function messagesOf(toolName: string, { messages }: GetPromptResult): Value {
  return messages.map(({ role, content }) => ({ role, content: contentOf(toolName, content) }));
}

function contentOf(toolName: string, block: ContentBlock): string | Content {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return new Content({ kind: block.type, mimeType: block.mimeType, data: fromBase64(toolName, block.data) });
    case "resource":
      return resourceContent(toolName, block.resource);
    case "resource_link": {
      const { uri, name, mimeType, description } = block;
      return new Content({
        kind: "resource_link",
        uri,
        name,
        ...(mimeType === undefined ? {} : { mimeType }),
        ...(description === undefined ? {} : { description }),
      });
    }
  }
}

function resourceContent(toolName: string, resource: ReadResourceResult["contents"][number]): Content {
  const { uri, mimeType } = resource;
  return new Content({
    kind: "resource",
    uri,
    data: "text" in resource ? resource.text : fromBase64(toolName, resource.blob),
    ...(mimeType === undefined ? {} : { mimeType }),
  });
}

function failureOf(toolName: string, parts: readonly (string | Content)[], structured: Value): ToolCallError {
  const text = parts.filter((part) => typeof part === "string").join("\n");
  return new ToolCallError(toolName, text === "" ? "the server says that the tool failed, and not why" : text, {
    details: structured === undefined ? {} : { structured },
  });
}

function fromBase64(toolName: string, text: string): Uint8Array {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch (cause) {
    throw new McpProtocolError(toolName, "the server sent bytes that are no Base64", { cause });
  }
}

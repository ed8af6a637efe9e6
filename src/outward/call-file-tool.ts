import { z } from "zod";

import { CallNotAllowedError, summarize } from "../dispatch/index.js";
import { isRecord, messageOf, type Value } from "../protocol/index.js";
import type { SessionClient, ShownPicture } from "../session/index.js";
import { ToolArgumentError, ToolCallError } from "../tools/index.js";
import type { ClientToolResult } from "./client-tools.js";
import { base64InSlices } from "./base64-in-slices.js";
import { LARGEST_PICTURE } from "./render-run.js";
import { shortenMiddle } from "./shorten-middle.js";

export interface FileCall {
  readonly name: string;
  readonly args: unknown;
  readonly maxLength: number;
  readonly signal: AbortSignal | undefined;
}

/** Whatever comes of it is a result. */
export async function callFileTool(
  client: SessionClient,
  { name, args, maxLength, signal }: FileCall,
): Promise<ClientToolResult> {
  if (!isArguments(args)) return failure("failed to parse function arguments: they are no JSON object", maxLength);
  let shown: ShownPicture | undefined;
  const onPicture = (picture: ShownPicture): void => {
    shown = picture;
  };
  try {
    const value = await client.callFileTool(name, args, signal === undefined ? { onPicture } : { signal, onPicture });
    if (shown === undefined) return { ...textOf(name, value, maxLength), images: [] };
    const { mimeType, bytes } = shown;
    if (bytes.byteLength > LARGEST_PICTURE) return failure(tooLarge(bytes.byteLength), maxLength);
    return { ...textOf(name, value, maxLength), images: [{ mimeType, data: await base64InSlices(bytes) }] };
  } catch (error) {
    return failure(wordsOf(error), maxLength);
  }
}

function isArguments(args: unknown): args is Readonly<Record<string, Value>> {
  return isRecord(args);
}

function tooLarge(size: number): string {
  const [has, most] = [size, LARGEST_PICTURE].map((bytes) => bytes.toLocaleString("en-US"));
  return `unable to attach image: it has ${has ?? ""} bytes, and ${most ?? ""} are sent at most`;
}

/** What the model reads: the words of the tool, or of the person who said no, and no word of who carried them. */
function wordsOf(error: unknown): string {
  if (error instanceof ToolArgumentError) return `failed to parse function arguments: ${error.reason}`;
  if (error instanceof ToolCallError || error instanceof CallNotAllowedError) return error.reason;
  return messageOf(error);
}

const CommandResult = z.object({
  output: z.string(),
  metadata: z.object({ exit_code: z.int(), duration_seconds: z.number() }),
});

/** What a search says that has found nothing. */
const NO_MATCHES = "No matches found.";

/** Where a command fails, and where a search finds nothing, the text is the same and no success. */
function textOf(name: string, value: Value, maxLength: number): { readonly text: string; readonly isError: boolean } {
  if (typeof value === "string") {
    const isError =
      (name === "shell_command" && !value.startsWith("Exit code: 0\n")) ||
      (name === "grep_files" && value === NO_MATCHES);
    return { text: shortenMiddle(value, maxLength), isError };
  }
  const { success, data } = CommandResult.safeParse(value);
  if (!success) return { text: shortenMiddle(JSON.stringify(summarize(value)), maxLength), isError: false };
  const { output, metadata } = data;
  // Cut within, so that it stays JSON.
  const text = JSON.stringify({ output: shortenMiddle(output, maxLength), metadata });
  return { text, isError: metadata.exit_code !== 0 };
}

function failure(text: string, maxLength: number): ClientToolResult {
  return { text: shortenMiddle(text, maxLength), isError: true, images: [] };
}

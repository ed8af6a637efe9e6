/** A piece of a tool call as a chunk carries it. */
export interface CallPiece {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly name?: string;
  readonly arguments?: string;
}

/** One `data:` line with a piece of the reply. */
export function chunkLine(delta: Record<string, unknown> | null, finishReason: string | null = null): string {
  return dataLine({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
}

/** One `data:` line with pieces of tool calls. */
export function callLine(...pieces: readonly CallPiece[]): string {
  const calls = pieces.map(({ name, arguments: text, ...rest }) => ({
    ...rest,
    type: "function",
    function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
  }));
  return chunkLine({ tool_calls: calls });
}

/** A chunk with these fields. */
export function dataLine(fields: Record<string, unknown>): string {
  const envelope = { id: "c", object: "chat.completion.chunk", created: 0, model: "test" };
  return `data: ${JSON.stringify({ ...envelope, ...fields })}`;
}

/** The chunk with which a server that counts ends. */
export function usageLine(input = 11, output = 7): string {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  return dataLine({ choices: [], usage });
}

export const END = "data: [DONE]";

export function errorBody(message: string, extra: Record<string, unknown> = {}): string {
  return JSON.stringify({ error: { message, type: "invalid_request_error", ...extra } });
}

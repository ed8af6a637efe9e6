import type { IncomingMessage } from "node:http";

import { z } from "zod";

const Part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string() }) }),
]);

const Call = z.strictObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
});

const Message = z
  .discriminatedUnion("role", [
    z.strictObject({ role: z.literal("system"), content: z.string() }),
    z.strictObject({ role: z.literal("user"), content: z.union([z.string(), z.array(Part).min(1)]) }),
    z.strictObject({
      role: z.literal("assistant"),
      content: z.string().nullable(),
      tool_calls: z.array(Call).optional(),
    }),
    z.strictObject({ role: z.literal("tool"), content: z.string(), tool_call_id: z.string() }),
  ])
  .transform((message) => ({ role: message.role, content: wordsOf(message.content) }));

const Tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string(),
    description: z.string(),
    parameters: z.looseObject({ type: z.literal("object") }),
  }),
});

/** What OpenAI takes of what we send; anything else is answered with 400, as OpenAI does. */
export const RequestBody = z.strictObject({
  model: z.string(),
  stream: z.literal(true),
  temperature: z.number().optional(),
  stream_options: z.unknown().optional(),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  tools: z.array(Tool).min(1).optional(),
  response_format: z.looseObject({ type: z.enum(["json_schema", "json_object"]) }).optional(),
  messages: z.array(Message).min(1),
});

/** A request as it arrived. */
export interface ReceivedRequest {
  /** The body, word for word. */
  readonly json: unknown;
  /** The first part of the path: `/rate-limited/v1/…` asks for the answer of that name. */
  readonly scenario: string;
  readonly headers: IncomingMessage["headers"];
  /** The body, with messages as text. */
  readonly body: z.infer<typeof RequestBody>;
}

/** What the server does with one request. */
export type ModelAnswer =
  | { readonly kind: "reply"; readonly text: string; readonly finishReason?: string }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** 200 with a body of any kind. */
  | { readonly kind: "body"; readonly contentType: string; readonly body: string }
  /** A stream of these lines as they are, with a pause of so many milliseconds before each, and an end of this kind. */
  | {
      readonly kind: "lines";
      readonly lines: readonly string[];
      readonly pause?: number;
      readonly end?: "close" | "drop" | "stall";
    }
  /** A reply of this text again and again, so many characters in all, in large pieces. */
  | { readonly kind: "repeat"; readonly text: string; readonly length: number }
  /** This text again and again, until the client has gone. */
  | { readonly kind: "endless"; readonly line: string }
  /** Accepts the request and sends nothing. */
  | { readonly kind: "silence" }
  /** Streams the text, then nothing more, with the connection open. */
  | { readonly kind: "stall"; readonly text: string }
  /** Streams the text, then breaks the connection a moment later. */
  | { readonly kind: "drop"; readonly text: string };

function wordsOf(content: string | readonly z.infer<typeof Part>[] | null): string {
  if (content === null || typeof content === "string") return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n\n");
}

import type { OpenAI } from "openai";

import { messageText } from "./conversation.js";
import type { ContentPart, ModelMessage, ModelNotice, ModelRequest } from "./model.js";
import { contextOf, type ServerFault } from "./server-faults.js";

/** What a server may refuse and we can do without, each in the forms in which it can be put, best first. */
const FORMS = {
  temperature: ["temperature"],
  // The older name first: local servers pass over the newer one in silence, and models that want it refuse the older.
  maxTokens: ["max_tokens", "max_completion_tokens"],
  responseSchema: ["json_schema", "json_object"],
  images: ["image_url"],
  usage: ["include_usage"],
} as const;

export type OptionalParameter = keyof typeof FORMS;
type Form<P extends OptionalParameter> = (typeof FORMS)[P][number];

const PARAMETERS = ["temperature", "maxTokens", "responseSchema", "images", "usage"] as const;

/** By which words in an error a server means the parameter. */
const WORDS: Readonly<Record<OptionalParameter, RegExp>> = {
  temperature: /temperature/i,
  maxTokens: /max_(completion_|new_)?tokens/i,
  responseSchema: /response[ _.]?format|json[ _]schema|json[ _]object|json mode|mime.?type|structured output/i,
  images: /image|vision|multi-?modal/i,
  usage: /stream_options|include_usage/i,
};

/** What is refused whatever its value; another temperature may still be welcome where one is only too high. */
const FOR_GOOD =
  /not? (support|permit|allow)|n't support|unsupported (param|value)|no endpoints|unavailable|unrecognized|unknown|unexpected|extra |deprecated/i;

/** In which form each parameter is put, by what a server has refused so far. */
export class RequestForms {
  readonly #refused: Map<OptionalParameter, number>;

  constructor(refused: Iterable<readonly [OptionalParameter, number]> = []) {
    this.#refused = new Map(refused);
  }

  /** Undefined once every form was refused. */
  of<P extends OptionalParameter>(parameter: P): Form<P> | undefined {
    const forms: readonly Form<P>[] = FORMS[parameter];
    return forms[this.#refused.get(parameter) ?? 0];
  }

  refuse(parameter: OptionalParameter): void {
    this.#refused.set(parameter, (this.#refused.get(parameter) ?? 0) + 1);
  }

  copy(): RequestForms {
    return new RequestForms(this.#refused);
  }
}

/** The body of a request, and which of the optional parameters are in it. */
export function requestBody(
  model: string,
  { messages, temperature, maxTokens, tools, responseSchema }: ModelRequest,
  forms: RequestForms,
): { readonly body: OpenAI.ChatCompletionCreateParamsStreaming; readonly sent: readonly OptionalParameter[] } {
  const hasImages = messages.some(({ content }) => typeof content !== "string" && content.some(isImage));
  const isAsked: Readonly<Record<OptionalParameter, boolean>> = {
    temperature: temperature !== undefined,
    maxTokens: maxTokens !== undefined,
    responseSchema: responseSchema !== undefined,
    images: hasImages,
    usage: true,
  };
  const sent = PARAMETERS.filter((parameter) => isAsked[parameter] && forms.of(parameter) !== undefined);
  const lengthName = forms.of("maxTokens");
  const body: OpenAI.ChatCompletionCreateParamsStreaming = {
    model,
    messages: messages.map((message) => messageParam(message, forms.of("images") !== undefined)),
    stream: true,
    ...(sent.includes("usage") ? { stream_options: { include_usage: true } } : {}),
    ...(temperature !== undefined && sent.includes("temperature") ? { temperature } : {}),
    ...(maxTokens !== undefined && lengthName !== undefined ? { [lengthName]: maxTokens } : {}),
    ...(responseSchema === undefined ? {} : responseFormat(responseSchema, forms.of("responseSchema"))),
    ...(tools === undefined || tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function" as const,
            function: { name, description, parameters: { ...parameters } },
          })),
        }),
  };
  return { body, sent };
}

/** Which of the parameters that were sent the server does not want; undefined when the error is about something else. */
export function refusedParameter(
  fault: ServerFault,
  sent: readonly OptionalParameter[],
): { readonly parameter: OptionalParameter; readonly forGood: boolean } | undefined {
  // A conversation that would fit, had no room been kept for the reply.
  const context = contextOf(fault);
  if (context !== null) {
    const { limit, requested, reserved } = context;
    const wouldFit = limit !== null && requested !== null && reserved !== null && requested - reserved < limit;
    return wouldFit && sent.includes("maxTokens") ? { parameter: "maxTokens", forGood: false } : undefined;
  }
  const { status, text, parameter: named } = fault;
  const forGood = FOR_GOOD.test(text);
  const isRefusal = status === 400 || status === 422 || (forGood && (status === 404 || status === 500));
  if (!isRefusal) return undefined;
  const found =
    sent.find((parameter) => WORDS[parameter].test(named)) ?? sent.find((parameter) => WORDS[parameter].test(text));
  return found === undefined ? undefined : { parameter: found, forGood };
}

/** Whether the server, or the model behind it, knows no tool calls: Ollama, OpenRouter, vLLM and llama.cpp say so. */
export function refusesTools({ status, text, parameter }: ServerFault): boolean {
  if (status === null || ![400, 404, 422, 500, 501].includes(status)) return false;
  if (/^tools?\b|^tool_choice/.test(parameter) && FOR_GOOD.test(text)) return true;
  return (
    /(not|n't) support[^.]{0,40}\b(tool|function.?call)/i.test(text) ||
    /support tool use/i.test(text) ||
    /\b(tools?|function.?call(s|ing)?)\b[^.]{0,40}(not supported|unsupported|not enabled)/i.test(text) ||
    /tools? (choice |param )[^.]*requires? --/i.test(text)
  );
}

/** What a person is told; null where the reply is the same without the parameter. */
export function refusalNotice(
  model: string,
  { parameter, isLeftOut, reason }: { parameter: OptionalParameter; isLeftOut: boolean; reason: string },
): ModelNotice | null {
  const because = reason === "" ? "." : ` (${reason}).`;
  const notice = (name: NonNullable<ModelNotice["parameter"]>, message: string): ModelNotice => ({
    code: "PARAMETER_REFUSED",
    parameter: name,
    message: message + because,
  });
  switch (parameter) {
    case "temperature":
      return notice("temperature", `"${model}" does not take this temperature; it was asked without one`);
    case "maxTokens":
      return isLeftOut
        ? notice("maxTokens", `"${model}" does not take this limit of the reply's length; it was asked without one`)
        : null;
    case "responseSchema":
      return notice(
        "responseSchema",
        `"${model}" cannot be held to a schema; it was asked ${isLeftOut ? "without one" : "for any JSON"}`,
      );
    case "images":
      return notice("images", `"${model}" does not take these images; it was given the text that stands for them`);
    case "usage":
      return null;
  }
}

function responseFormat(
  { name, schema, strict = true }: NonNullable<ModelRequest["responseSchema"]>,
  form: Form<"responseSchema"> | undefined,
): Pick<OpenAI.ChatCompletionCreateParamsStreaming, "response_format"> {
  switch (form) {
    case "json_schema":
      return { response_format: { type: "json_schema", json_schema: { name, schema: { ...schema }, strict } } };
    case "json_object":
      return { response_format: { type: "json_object" } };
    case undefined:
      return {};
  }
}

function messageParam(message: ModelMessage, sees: boolean): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case "tool":
      return { role: "tool", content: message.content, tool_call_id: message.toolCallId };
    case "assistant": {
      const { content, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: "assistant", content };
      const calls = toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: "function" as const,
        function: { name, arguments: text },
      }));
      return { role: "assistant", content: content === "" ? null : content, tool_calls: calls };
    }
    case "user":
      return sees && typeof message.content !== "string" && message.content.some(isImage)
        ? { role: "user", content: message.content.map(contentParam) }
        : // Many servers read nothing but a string.
          { role: "user", content: messageText(message) };
    case "system":
      return { role: "system", content: message.content };
  }
}

function contentParam(part: ContentPart): OpenAI.ChatCompletionContentPart {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: "image_url", image_url: { url: `data:${part.mime};base64,${base64(part.data)}` } };
}

function isImage({ type }: ContentPart): boolean {
  return type === "image";
}

function base64(bytes: Uint8Array): string {
  let text = "";
  // An argument for each byte of a large image would overflow the stack.
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(text);
}

import { z } from "zod";

/** What OpenAI demands of a function that is called `strict`. */
const StrictParameters = z
  .looseObject({
    type: z.literal("object"),
    properties: z.record(z.string(), z.looseObject({ type: z.string() })),
    required: z.array(z.string()),
    additionalProperties: z.literal(false),
  })
  .refine(({ properties, required }) => Object.keys(properties).every((name) => required.includes(name)), {
    message: "every property of a strict function is required",
  });

const named = { name: z.string().regex(/^[\w-]{1,64}$/), description: z.string() };

const Tool = z.strictObject({
  type: z.literal("function"),
  function: z.union([
    z.strictObject({ ...named, parameters: StrictParameters, strict: z.literal(true) }),
    z.strictObject({
      ...named,
      parameters: z.looseObject({ type: z.literal("object"), properties: z.record(z.string(), z.looseObject({})) }),
      strict: z.literal(false).optional(),
    }),
  ]),
});

const CustomTool = z.strictObject({
  type: z.literal("custom"),
  custom: z.strictObject({
    ...named,
    format: z.strictObject({
      type: z.literal("grammar"),
      grammar: z.strictObject({ syntax: z.literal("lark"), definition: z.string().regex(/^start: /) }),
    }),
  }),
});

const Part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.looseObject({ url: z.string().regex(/^data:image\/(?:png|jpeg|gif|webp);base64,/) }),
  }),
]);

const Message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content: z.string() }),
  z.object({ role: z.literal("user"), content: z.union([z.string(), z.array(Part)]) }),
  z.object({
    role: z.literal("assistant"),
    content: z.string().nullish(),
    tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
  }),
  z.object({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
]);

const Freeform = z.strictObject({ input: z.string() });

const Request = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  tools: z.array(z.discriminatedUnion("type", [Tool, CustomTool])).min(1),
});

/**
 * A model that calls the first function it is offered with each line of the user's message, one after the other, and then
 * says what came of them. A line may begin with the name of another function: `read_file {"file_path": …}`. What is
 * offered as a custom tool is called with the text in `input`. Whatever OpenAI would not accept is answered with 400.
 */
export function answerWithFunctionCalls(json: unknown): { readonly status: number; readonly body: string } {
  const request = Request.safeParse(json);
  if (!request.success) {
    const error = { message: z.prettifyError(request.error), type: "invalid_request_error" };
    return { status: 400, body: JSON.stringify({ error }) };
  }
  const { model, messages, tools } = request.data;
  const answered = messages.flatMap((message) => (message.role === "tool" ? [message] : []));
  const content = messages.find(({ role }) => role === "user")?.content;
  const asked = typeof content === "string" ? content.split("\n") : [];
  const next = asked[answered.length];
  const [first] = tools;
  const standard = first?.type === "function" ? first.function.name : first?.custom.name;
  const [, name = standard, args = next] = /^(\w+) (\{.*)$/.exec(next ?? "") ?? [];
  const isCustom = tools.some((tool) => tool.type === "custom" && tool.custom.name === name);
  const called = isCustom
    ? { type: "custom", custom: { name, input: Freeform.parse(JSON.parse(args ?? "")).input } }
    : { type: "function", function: { name, arguments: args } };
  const message =
    next === undefined
      ? { role: "assistant", content: answered.map(({ content }) => content).join("\n---\n") }
      : {
          role: "assistant",
          content: null,
          tool_calls: [{ id: `call_${String(answered.length)}`, ...called }],
        };
  const finish_reason = next === undefined ? "stop" : "tool_calls";
  const choices = [{ index: 0, message, finish_reason, logprobs: null }];
  return {
    status: 200,
    body: JSON.stringify({ id: "c", object: "chat.completion", created: 0, model, choices }),
  };
}

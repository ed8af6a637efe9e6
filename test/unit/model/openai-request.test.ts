import { describe, expect, test } from "vitest";

import type { ModelRequest } from "../../../src/model/index.js";
import { errorBody } from "../../servers/model-chunks.js";
import type { ModelAnswer, ReceivedRequest } from "../../servers/model-server.js";
import { textOf } from "../../servers/read-chunks.js";
import { collect, fail, noticesOf, request, ServedModel } from "./served-model.js";

const served = new ServedModel();
const refusal = (message: string, extra: Record<string, unknown> = {}, status = 400): ModelAnswer => ({
  kind: "status",
  status,
  body: errorBody(message, extra),
});

/** One pixel, or what stands for one. */
const picture = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const shown: ModelRequest = {
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image", mime: "image/png", data: picture, text: "[a picture, 1 by 1]" },
      ],
    },
  ],
};
const schema = {
  type: "object",
  properties: { sum: { type: "number" } },
  required: ["sum"],
  additionalProperties: false,
};

describe("the body of a request", () => {
  test("has images as data URLs for a model that sees", async () => {
    await served.ask(shown, { sees: true });

    expect(served.requests[0]?.json).toMatchObject({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
          ],
        },
      ],
    });
  });

  test("has the text that stands for an image otherwise, and says so of the model", async () => {
    await served.ask(shown);

    expect(served.requests[0]?.json).toMatchObject({
      messages: [{ role: "user", content: "What is this?\n\n[a picture, 1 by 1]" }],
    });
    expect(served.model().sees).toBe(false);
    expect(served.model({ sees: true }).sees).toBe(true);
  });

  test("has an image of some megabytes whole", async () => {
    const data = new Uint8Array(3_000_000).fill(7);
    const content = [{ type: "image", mime: "image/png", data, text: "" }] as const;

    await served.ask({ messages: [{ role: "user", content }] }, { sees: true });

    expect(JSON.stringify(served.requests[0]?.json)).toContain(`base64,${Buffer.from(data).toString("base64")}"`);
  });

  test("has tools, calls and their answers, a schema and a limit", async () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    await served.ask({
      messages: [
        { role: "user", content: "How warm is it in Oslo?" },
        { role: "assistant", content: "", toolCalls: [{ id: "a", name: "weather", arguments: '{"city":"Oslo"}' }] },
        { role: "tool", content: "7", toolCallId: "a" },
        { role: "assistant", content: "It is 7." },
      ],
      tools: [{ name: "weather", description: "Current weather.", parameters }],
      responseSchema: { name: "answer", schema },
      maxTokens: 100,
    });

    expect(served.requests[0]?.json).toEqual({
      model: "test-model",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      tools: [{ type: "function", function: { name: "weather", description: "Current weather.", parameters } }],
      response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: true } },
      messages: [
        { role: "user", content: "How warm is it in Oslo?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "a", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
        },
        { role: "tool", content: "7", tool_call_id: "a" },
        { role: "assistant", content: "It is 7." },
      ],
    });
  });

  test("has nothing that was not asked for", async () => {
    await served.ask({ messages: [{ role: "user", content: "Hi" }], tools: [] });

    expect(Object.keys(served.requests[0]?.json ?? {}).sort()).toEqual([
      "messages",
      "model",
      "stream",
      "stream_options",
    ]);
  });
});

describe("a parameter that the model refuses", () => {
  const refuseTemperature = ({ body }: ReceivedRequest): ModelAnswer =>
    body.temperature === undefined
      ? { kind: "reply", text: "5" }
      : {
          kind: "status",
          status: 400,
          body: errorBody("Unsupported value: 'temperature' does not support 0 with this model.", {
            param: "temperature",
          }),
        };

  test("is left out, with a notice", async () => {
    served.answer = refuseTemperature;

    const chunks = await collect(served.model().complete(request));

    expect(textOf(chunks)).toBe("5");
    expect(chunks.slice(0, 2)).toMatchObject([
      { type: "asked-again" },
      { type: "notice", notice: { code: "PARAMETER_REFUSED" } },
    ]);
  });

  test("is not sent a second time", async () => {
    served.answer = refuseTemperature;
    const patient = served.model();
    await collect(patient.complete(request));

    const chunks = await collect(patient.complete(request));

    expect(served.requests).toHaveLength(3);
    expect(chunks.some(({ type }) => type === "notice")).toBe(false);
  });

  test("may be stream_options too", async () => {
    served.answer = ({ body }) =>
      body.stream_options === undefined
        ? { kind: "reply", text: "5" }
        : {
            kind: "status",
            status: 422,
            body: JSON.stringify({ detail: [{ loc: ["body", "stream_options"], msg: "extra" }] }),
          };

    expect(textOf(await collect(served.model().complete(request)))).toBe("5");
  });
});

describe("a limit of the reply's length", () => {
  const limited: ModelRequest = { ...request, maxTokens: 50 };

  test("has its newer name where the model refuses the older, without a word and for good", async () => {
    served.answer = ({ body }) =>
      body.max_tokens === undefined
        ? { kind: "reply", text: "5" }
        : refusal(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            { param: "max_tokens", code: "unsupported_parameter" },
          );
    const model = served.model();

    const chunks = await collect(model.complete(limited));
    await collect(model.complete(limited));

    expect(noticesOf(chunks)).toEqual([]);
    expect(served.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [50, undefined],
      [undefined, 50],
      [undefined, 50],
    ]);
  });

  test("is left out, with a notice, where both are refused", async () => {
    served.answer = ({ body }) =>
      body.max_tokens === undefined && body.max_completion_tokens === undefined
        ? { kind: "reply", text: "5" }
        : refusal("Unknown parameters: max_tokens, max_completion_tokens");

    const chunks = await served.ask(limited);

    expect(textOf(chunks)).toBe("5");
    expect(noticesOf(chunks)).toMatchObject([{ code: "PARAMETER_REFUSED", parameter: "maxTokens" }]);
  });

  test("is left out once where only it makes the conversation too long", async () => {
    served.answer = ({ body }) =>
      body.max_tokens === undefined && body.max_completion_tokens === undefined
        ? { kind: "reply", text: "5" }
        : refusal(
            "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 " +
              "tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
          );
    const model = served.model();

    expect(textOf(await collect(model.complete({ ...request, maxTokens: 2000 })))).toBe("5");
    served.answer = () => ({ kind: "reply", text: "5" });
    await collect(model.complete(limited));

    expect(served.requests.at(-1)?.body.max_tokens).toBe(50);
  });
});

describe("a temperature that is only too high", () => {
  test("is left out of that request, and a lower one is sent again", async () => {
    served.answer = ({ body }) =>
      (body.temperature ?? 0) > 1
        ? refusal("temperature: range: 0..1", { param: "temperature" })
        : { kind: "reply", text: "5" };
    const model = served.model();

    const chunks = await collect(model.complete({ ...request, temperature: 1.5 }));
    await collect(model.complete({ ...request, temperature: 0.7 }));

    expect(noticesOf(chunks)).toMatchObject([{ parameter: "temperature" }]);
    expect(served.requests.map(({ body }) => body.temperature)).toEqual([1.5, undefined, 0.7]);
  });

  test("an error that only quotes the word costs later requests nothing", async () => {
    const quoting = refusal("Invalid value in messages: 'What is the temperature in Oslo?'");
    served.answer = () => quoting;
    const model = served.model();
    const { error } = await fail(model.complete(request));
    served.answer = () => ({ kind: "reply", text: "5" });

    await collect(model.complete(request));

    expect(error).toMatchObject({ code: "MODEL_REQUEST", status: 400 });
    expect(served.requests.at(-1)?.body.temperature).toBe(0);
  });
});

describe("a schema of the reply", () => {
  const held: ModelRequest = { ...request, responseSchema: { name: "answer", schema } };
  const typeOf = ({ body }: ReceivedRequest) => body.response_format?.type;

  test("becomes any JSON where the server knows no schemas, with a notice", async () => {
    served.answer = (received) =>
      typeOf(received) === "json_schema"
        ? refusal("This model does not support response format `json_schema`.", { param: "response_format" })
        : { kind: "reply", text: "{}" };

    const chunks = await served.ask(held);

    expect(noticesOf(chunks)).toMatchObject([
      { code: "PARAMETER_REFUSED", parameter: "responseSchema", message: expect.stringContaining("any JSON") },
    ]);
    expect(served.requests.map(typeOf)).toEqual(["json_schema", "json_object"]);
  });

  test("is left out where the server knows neither, with one notice", async () => {
    served.answer = (received) =>
      typeOf(received) === undefined
        ? { kind: "reply", text: "5" }
        : refusal("response_format is not supported", {}, 422);
    const model = served.model();

    const chunks = await collect(model.complete(held));
    await collect(model.complete(held));

    expect(noticesOf(chunks)).toMatchObject([
      { parameter: "responseSchema", message: expect.stringContaining("without") },
    ]);
    expect(served.requests.map(typeOf)).toEqual(["json_schema", "json_object", undefined, undefined]);
  });
});

describe("images", () => {
  test("become their text where the model turns out not to see, with a notice and for good", async () => {
    served.answer = ({ json }) =>
      JSON.stringify(json).includes("image_url")
        ? refusal("No endpoints found that support image input", { code: 404 }, 404)
        : { kind: "reply", text: "A picture." };
    const model = served.model({ sees: true });

    const chunks = await collect(model.complete(shown));
    await collect(model.complete(shown));

    expect(textOf(chunks)).toBe("A picture.");
    expect(noticesOf(chunks)).toMatchObject([{ code: "PARAMETER_REFUSED", parameter: "images" }]);
    expect(served.requests).toHaveLength(3);
    expect(served.requests[2]?.body.messages[0]?.content).toContain("[a picture, 1 by 1]");
  });
});

describe("several refusals", () => {
  test("cost a request each, and then none", async () => {
    served.answer = ({ body }) => {
      if (body.temperature !== undefined) return refusal("temperature is not supported", { param: "temperature" });
      if (body.stream_options !== undefined) return refusal("extra fields not permitted: stream_options", {}, 422);
      if (body.max_tokens !== undefined) return refusal("Unsupported parameter: max_tokens");
      return { kind: "reply", text: "5" };
    };
    const model = served.model();

    await collect(model.complete({ ...request, maxTokens: 9 }));
    const again = await collect(model.complete({ ...request, maxTokens: 9 }));

    expect(served.requests).toHaveLength(5);
    expect(noticesOf(again)).toEqual([]);
    expect(served.requests.at(-1)?.json).not.toHaveProperty("temperature");
    expect(served.requests.at(-1)?.body.max_completion_tokens).toBe(9);
  });
});

describe("tools", () => {
  const equipped: ModelRequest = {
    ...request,
    tools: [{ name: "add", description: "Adds.", parameters: { type: "object", properties: {} } }],
  };

  test.each([
    { server: "Ollama", status: 400, message: "registry.ollama.ai/library/llama2:13b does not support tools" },
    { server: "OpenRouter", status: 404, message: 'No endpoints found that support tool use. Try disabling "add".' },
    {
      server: "vLLM",
      status: 400,
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    },
    { server: "llama.cpp", status: 500, message: "tools param requires --jinja flag" },
    { server: "another", status: 400, message: "Function calling is not enabled for this model" },
  ])("that $server does not take are an error to fall back from", async ({ status, message }) => {
    served.answer = () => refusal(message, {}, status);

    const { error } = await fail(served.model().complete(equipped));

    expect(error).toMatchObject({ name: "ModelToolsError", code: "MODEL_TOOLS_UNSUPPORTED", isRetryable: false });
    expect(error.message).toContain(message);
    expect(served.requests).toHaveLength(1);
  });

  test("that were not sent are not to blame", async () => {
    served.answer = () => refusal("This server does not support tools");

    expect((await fail(served.model().complete(request))).error).toMatchObject({ code: "MODEL_REQUEST" });
  });
});

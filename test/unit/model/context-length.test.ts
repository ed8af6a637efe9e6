import { describe, expect, test } from "vitest";

import type { ModelAnswer } from "../../servers/model-server.js";
import { fail, request, ServedModel } from "./served-model.js";

const served = new ServedModel();

function says(status: number, error: unknown): ModelAnswer {
  return { kind: "status", status, body: JSON.stringify({ error }) };
}

// Each as its server words it.
const shapes: { server: string; answer: ModelAnswer; limit?: number; requested?: number }[] = [
  {
    server: "OpenAI",
    answer: says(400, {
      message:
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the length of the messages.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    }),
    limit: 8192,
    requested: 8227,
  },
  {
    server: "OpenAI, of a newer model",
    answer: says(400, {
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      code: "context_length_exceeded",
    }),
  },
  {
    server: "vLLM",
    answer: says(400, {
      message:
        "This model's maximum context length is 4097 tokens. However, you requested 4128 tokens (4100 in the messages, 28 in the completion). Please reduce the length of the messages or completion.",
      type: "BadRequestError",
      code: 400,
    }),
    limit: 4097,
    requested: 4128,
  },
  {
    server: "OpenRouter",
    answer: says(400, {
      message:
        'This endpoint\'s maximum context length is 1048576 tokens. However, you requested about 1293741 tokens (1227853 of text input, 353 of tool input, 65535 in the output). Please reduce the length of either one, or use the "middle-out" transform.',
      code: 400,
    }),
    limit: 1048576,
    requested: 1293741,
  },
  {
    server: "llama.cpp, with the numbers beside the text",
    answer: says(400, {
      code: 400,
      message: "the request exceeds the available context size, try increasing it",
      type: "exceed_context_size_error",
      n_prompt_tokens: 14429,
      n_ctx: 8192,
    }),
    limit: 8192,
    requested: 14429,
  },
  {
    server: "llama.cpp, with the numbers in the text",
    answer: says(500, {
      message: "request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it",
    }),
    limit: 8192,
    requested: 9001,
  },
  {
    server: "llama-cpp-python",
    answer: says(500, { message: "Requested tokens (2285) exceed context window of 2048" }),
    limit: 2048,
    requested: 2285,
  },
  { server: "Ollama", answer: says(400, "input length exceeds the context length") },
  {
    server: "LM Studio",
    answer: says(
      400,
      "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input",
    ),
  },
  {
    server: "Anthropic",
    answer: says(400, { type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" }),
    limit: 200000,
    requested: 213462,
  },
  {
    server: "Anthropic, counting the reply",
    answer: says(400, {
      message:
        "input length and `max_tokens` exceed context limit: 208240 + 21333 > 200000, decrease input length or `max_tokens`",
    }),
    limit: 200000,
    requested: 229573,
  },
  {
    server: "Google",
    answer: says(400, {
      message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
      status: "INVALID_ARGUMENT",
    }),
    limit: 1048575,
    requested: 1196265,
  },
  {
    server: "xAI",
    answer: says(400, {
      message: "This model's maximum prompt length is 131,072 but the request contains 537,812 tokens.",
    }),
    limit: 131072,
    requested: 537812,
  },
  {
    server: "Mistral",
    answer: says(400, {
      message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    }),
    limit: 32768,
    requested: 40000,
  },
  {
    server: "Groq",
    answer: says(400, { message: "Please reduce the length of the messages or completion.", param: "messages" }),
  },
  {
    server: "Groq, of a limit that one request cannot pass",
    answer: says(413, {
      message:
        "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7100, please reduce your message size",
      code: "rate_limit_exceeded",
    }),
    limit: 6000,
    requested: 7100,
  },
  {
    server: "Kimi",
    answer: says(400, {
      message: "Invalid request: Your request exceeded model token limit: 262144 (requested: 300012)",
    }),
    limit: 262144,
    requested: 300012,
  },
  {
    server: "TGI",
    answer: says(422, {
      message:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 512 `max_new_tokens`",
      type: "validation",
    }),
    limit: 4096,
    requested: 4512,
  },
  { server: "Bedrock", answer: says(400, { message: "Input is too long for requested model." }) },
  { server: "a proxy", answer: { kind: "status", status: 413, body: "<html>413 Request Entity Too Large</html>" } },
];

describe("a conversation that is too long", () => {
  test.each(shapes)("is one in the words of $server", async ({ answer, limit, requested }) => {
    served.answer = () => answer;

    const { error } = await fail(served.model().complete(request));

    expect(error).toMatchObject({
      name: "ModelContextError",
      code: "MODEL_CONTEXT_TOO_LONG",
      isRetryable: false,
      ...(limit === undefined ? {} : { limit }),
      ...(requested === undefined ? {} : { requested }),
    });
    expect(error.message).toMatch(/too long for "test-model".*Shorten it/);
  });

  test.each([
    {
      what: "a rate",
      answer: says(429, { message: "Rate limit reached on tokens per minute: Limit 6000, Requested 7100" }),
    },
    {
      what: "a rate, told with 400",
      answer: says(400, { message: "Too many tokens per minute: the prompt is too long" }),
    },
    { what: "a name", answer: says(400, { message: "Invalid name: too long, at most 64 letters" }) },
    { what: "a model", answer: says(404, { message: "No model with such a long context" }) },
    { what: "a failure", answer: says(500, { message: "The server had an error while processing your request." }) },
  ])("is not one where the server speaks of $what", async ({ answer }) => {
    served.answer = () => answer;

    expect((await fail(served.model().complete(request))).error.code).not.toBe("MODEL_CONTEXT_TOO_LONG");
  });

  test("says by how much, where it is known", async () => {
    served.answer = () => says(400, { message: "prompt is too long: 213462 tokens > 200000 maximum" });

    const { error } = await fail(served.model().complete(request));

    expect(error.message).toMatch(
      /^The conversation of 213462 tokens is too long for "test-model"; it takes 200000 \(/,
    );
  });
});

import { LLMock } from "@copilotkit/aimock";

export interface AimockServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * A server of the protocol that is not ours, and answers by what the user's
 * message says. Where it cannot be made to fail as a test needs it, the one in
 * model-server.ts is.
 */
export async function startAimockServer(): Promise<AimockServer> {
  const mock = new LLMock({ host: "127.0.0.1", port: 0, logLevel: "silent" });
  mock.onToolResult("call_weather", { content: "It is 7 degrees in Oslo." });
  mock.onMessage("say five", { content: "Two and three are five." }, { chunkSize: 4 });
  mock.onMessage("think", { content: "5", reasoning: "Two and three are five." }, { chunkSize: 4 });
  mock.onMessage(
    "weather",
    { content: "Let me look.", toolCalls: [{ id: "call_weather", name: "weather", arguments: '{"city":"Oslo"}' }] },
    { chunkSize: 4 },
  );
  mock.onMessage(
    "two calls",
    {
      toolCalls: [
        { name: "weather", arguments: '{"city":"Oslo"}' },
        { name: "weather", arguments: '{"city":"Bergen"}' },
      ],
    },
    { chunkSize: 3 },
  );
  mock.onMessage("stop short", { content: "The sum fol", finishReason: "length" });
  mock.onMessage("withhold", { content: "The", finishReason: "content_filter" });
  mock.onMessage("be busy", {
    error: { message: "Slow down.", type: "rate_limit_error", code: "rate_limit_exceeded" },
    status: 429,
    retryAfter: 7,
  });
  mock.onMessage("be full", {
    error: {
      message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
    status: 400,
  });
  mock.onMessage("fail", { error: { message: "The server had an error.", type: "server_error" }, status: 500 });
  // The latency lets the pieces before the break leave.
  mock.onMessage(
    "hang up",
    { content: "A reply that breaks off in the middle." },
    { chunkSize: 5, latency: 30, truncateAfterChunks: 4 },
  );
  mock.onMessage("babble", { content: "" }, { chaos: { malformedRate: 1 } });
  await mock.start();
  return { origin: mock.url, close: () => mock.stop() };
}

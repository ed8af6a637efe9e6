import { readInTurn } from "./answers-in-turn.js";
import { readDictated, type Dictation } from "./dictated-replies.js";
import { callLine, chunkLine, dataLine, END, errorBody, usageLine } from "./model-chunks.js";
import type { ModelAnswer, ReceivedRequest } from "./model-exchange.js";

/** The answers that can be had by name, for tests that run in a browser and cannot hand over a function. */
export function answerScenario(request: ReceivedRequest): ModelAnswer {
  const { scenario, body } = request;
  const dictated = readDictated(scenario);
  if (dictated !== null) return answerDictated(dictated, request);
  const inTurn = readInTurn(scenario);
  if (inTurn !== null) return inTurn;
  const answer = scenarios.get(scenario);
  return answer?.(request) ?? { kind: "status", status: 404, body: errorBody(`There is no model "${body.model}".`) };
}

function answerDictated({ replies, refuses }: Dictation, { body }: ReceivedRequest): ModelAnswer {
  if (refuses === "tools" && body.tools !== undefined) {
    return status(400, errorBody(`${body.model} does not support tools`));
  }
  if (refuses === "schema" && body.response_format !== undefined) {
    return status(400, errorBody(`response_format "${body.response_format.type}" is not supported`));
  }
  const reply = replies[body.messages.filter(({ role }) => role === "assistant").length];
  if (reply === undefined) return status(500, "");
  if (typeof reply === "string") return { kind: "reply", text: reply };
  const calls = reply.calls.map((call, index) => callLine({ index, ...call }));
  return lines(...calls, chunkLine({}, "tool_calls"), usageLine(), END);
}

const SUM = "The sum follows.\n```python\nfinal_answer(2 + 3)\n```";

const scenarios = new Map<string, (request: ReceivedRequest) => ModelAnswer>([
  ["streams", () => ({ kind: "reply", text: SUM })],
  ["no-code", () => ({ kind: "reply", text: "I would rather not." })],
  [
    "unauthorized",
    ({ headers }) => status(401, errorBody(`Incorrect API key provided: ${headers.authorization ?? "none"}`)),
  ],
  ["rate-limited", () => status(429, errorBody("Slow down."), { "Retry-After": "20" })],
  ["used-up", () => status(429, errorBody("You exceeded your current quota.", { code: "insufficient_quota" }))],
  ["broken", () => status(500, errorBody("The server had an error."))],
  ["busy", () => status(503, errorBody("Try later."), { "Retry-After": "3" })],
  ["redirects", () => status(307, "", { Location: "/streams/v1/chat/completions" })],
  ["nonsense", () => ({ kind: "body", contentType: "text/html", body: "<!doctype html><title>Welcome</title>" })],
  ["malformed", () => lines(chunkLine({ content: "Let me " }), "data: {broken", END)],
  ["silent", () => ({ kind: "silence" })],
  ["stalls", () => ({ kind: "stall", text: "Let me think about " })],
  ["drops", () => ({ kind: "drop", text: "The sum follows.\n```python\nfinal_" })],
  ["truncated", () => ({ kind: "reply", text: "The sum fol", finishReason: "length" })],
  [
    "too-long",
    () =>
      status(
        400,
        errorBody(
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
          {
            param: "messages",
            code: "context_length_exceeded",
          },
        ),
      ),
  ],
  [
    "calls-in-pieces",
    () =>
      lines(
        chunkLine({ role: "assistant", content: "Let me look." }),
        callLine({ index: 0, id: "a", name: "weather", arguments: "" }),
        callLine({ index: 1, id: "b", name: "add", arguments: '{"x":' }),
        callLine({ index: 0, arguments: '{"city":"Os' }),
        callLine({ index: 1, arguments: "2}" }, { index: 0, arguments: 'lo"}' }),
        chunkLine({}, "tool_calls"),
        usageLine(),
        END,
      ),
  ],
  [
    "call-that-drops",
    () => ({
      kind: "lines",
      lines: [chunkLine({ content: "Let me look." }), callLine({ index: 0, id: "a", name: "weather", arguments: "{" })],
      end: "drop",
    }),
  ],
  [
    "reasons",
    () =>
      lines(
        chunkLine({ reasoning_content: "Two and three " }),
        chunkLine({ reasoning_content: "are five." }),
        chunkLine({ content: "5" }),
        chunkLine({}, "stop"),
        END,
      ),
  ],
  [
    "refuses",
    () => lines(chunkLine({ refusal: "I cannot " }), chunkLine({ refusal: "help." }), chunkLine({}, "stop"), END),
  ],
  [
    "empty-chunks",
    () =>
      lines(
        ": keep-alive",
        dataLine({ choices: [] }),
        dataLine({}),
        dataLine({ choices: null }),
        chunkLine(null),
        chunkLine({}),
        chunkLine({ content: null, tool_calls: null }),
        chunkLine({ content: "5" }),
        ": keep-alive",
        chunkLine({}, "stop"),
        usageLine(),
        END,
      ),
  ],
  [
    "drips",
    () => ({
      kind: "lines",
      lines: [
        ": waiting",
        ": waiting",
        chunkLine({ content: "5" }),
        ": waiting",
        ": waiting",
        chunkLine({}, "stop"),
        END,
      ],
      pause: 450,
    }),
  ],
  [
    "drips-and-drops",
    () => ({
      kind: "lines",
      lines: ["Two ", "and three ", "are ", "five"].map((content) => chunkLine({ content })),
      pause: 50,
      end: "drop",
    }),
  ],
  ["no-usage", () => lines(chunkLine({ content: "5" }), chunkLine({}, "stop"), END)],
  ["endless", () => ({ kind: "endless", line: `${chunkLine({ content: "no end ".repeat(10_000) })}\n\n` })],
  ["endless-event", () => ({ kind: "endless", line: "x".repeat(100_000) })],
  ["error-inside", () => lines(chunkLine({ content: "Half" }), `data: ${errorBody("Overloaded.")}`)],
  [
    "no-tools",
    ({ body }) => (body.tools === undefined ? { kind: "reply", text: SUM } : status(400, noTools(body.model))),
  ],
]);

function noTools(model: string): string {
  return errorBody(`registry.ollama.ai/library/${model} does not support tools`, { type: "api_error", code: null });
}

function lines(...all: readonly string[]): ModelAnswer {
  return { kind: "lines", lines: all };
}

function status(code: number, body: string, headers: Record<string, string> = {}): ModelAnswer {
  return { kind: "status", status: code, body, headers };
}

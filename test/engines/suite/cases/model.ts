import { CodeAgent, ModelError, type AgentEvent, type Model, type ModelRequest } from "../../../../src/index.js";
import { behind } from "../dictated.js";
import { differ, type PageCase } from "../engine-case.js";

/** What became of a request: the error's code, or why the reply ended, and the text until then. */
interface Outcome {
  readonly end: string;
  readonly text: string;
}

const question: ModelRequest = {
  messages: [{ role: "user", content: "Add 2 and 3." }],
  temperature: 0,
  tools: [{ name: "add", description: "Adds.", parameters: { type: "object", properties: {} } }],
};

/** WebKitGTK takes a connection that broke for one that was closed: what is noticed is that the reply has no end. */
const isWebKit = /AppleWebKit(?!.*Chrome)/.test(navigator.userAgent);
const BROKEN_OFF = isWebKit ? "MODEL_RESPONSE" : "MODEL_UNREACHABLE";

/** The scenarios of the server, with what has to become of each in every engine. */
const EXPECTED: Readonly<Record<string, Outcome>> = {
  streams: { end: "stop", text: "The sum follows.\n```python\nfinal_answer(2 + 3)\n```" },
  "empty-chunks": { end: "stop", text: "5" },
  reasons: { end: "stop", text: "5" },
  "calls-in-pieces": { end: "tool-calls", text: 'Let me look.weather{"city":"Oslo"}add{"x":2}' },
  refuses: { end: "refusal", text: "I cannot help." },
  truncated: { end: "length", text: "The sum fol" },
  malformed: { end: "MODEL_RESPONSE", text: "Let me " },
  "error-inside": { end: "MODEL_SERVER", text: "Half" },
  drops: { end: BROKEN_OFF, text: "The sum follows.\n```python\nfinal_" },
  "call-that-drops": { end: BROKEN_OFF, text: "Let me look." },
  "rate-limited": { end: "MODEL_RATE_LIMIT 20000", text: "" },
  "used-up": { end: "MODEL_QUOTA", text: "" },
  "too-long": { end: "MODEL_CONTEXT_TOO_LONG", text: "" },
  unauthorized: { end: "MODEL_AUTH", text: "" },
  broken: { end: "MODEL_SERVER", text: "" },
  busy: { end: "MODEL_SERVER 3000", text: "" },
  nonsense: { end: "MODEL_RESPONSE", text: "" },
  redirects: { end: "MODEL_RESPONSE", text: "" },
  "no-tools": { end: "MODEL_TOOLS_UNSUPPORTED", text: "" },
  "without-cors": { end: "MODEL_UNREACHABLE", text: "" },
};

async function outcomeOf(model: Model): Promise<Outcome> {
  let text = "";
  let end = "nothing";
  try {
    for await (const chunk of model.complete(question)) {
      if (chunk.type === "text") text += chunk.text;
      if (chunk.type === "tool-call") text += chunk.call.name + chunk.call.arguments;
      if (chunk.type === "done") end = chunk.finishReason;
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { retryAfter } = error;
    end = retryAfter === null ? error.code : `${error.code} ${String(retryAfter)}`;
  }
  return { end, text };
}

function typesOf(events: readonly AgentEvent[], ...types: readonly AgentEvent["type"][]): string[] {
  return events.flatMap((event) => {
    if (!types.includes(event.type)) return [];
    return event.type === "model-retry" || event.type === "error" ? [`${event.type} ${event.code}`] : [event.type];
  });
}

/** The model client against a real server with the faults that servers have: each engine has a network of its own. */
export const modelCases: readonly PageCase[] = [
  {
    id: "model-1",
    title: "whatever a model's server does ends in the reply or in a typed error, and what came before stays",
    run: async () => {
      const found = await Promise.all(
        Object.entries(EXPECTED).map(async ([scenario, expected]) =>
          differ(scenario, await outcomeOf(behind(scenario)), expected),
        ),
      );
      const silent = await outcomeOf(behind("silent", 300));
      return [...found.flat(), ...differ("silent", silent, { end: "MODEL_TIMEOUT", text: "" })];
    },
  },
  {
    id: "model-2",
    title: "a task tells of the retry and of the error that ends it, and keeps what the model had said",
    run: async (open) => {
      const session = await open();
      try {
        const run = new CodeAgent({ session, model: behind("drops"), retries: 1 }).run("Add 2 and 3.");
        const { state, steps, usage } = await run.result;
        return [
          ...differ("the state", state, "error"),
          ...differ("its events", typesOf(run.events, "model-retry", "error", "step-ended", "task-ended"), [
            `model-retry ${BROKEN_OFF}`,
            `error ${BROKEN_OFF}`,
            "step-ended",
            "task-ended",
          ]),
          ...differ("what was said", steps[0]?.reply, "The sum follows.\n```python\nfinal_"),
          ...differ("the calls that count", usage.modelCalls, 2),
        ];
      } finally {
        await session.close();
      }
    },
  },
];

import { describe, expect, test } from "vitest";

import { CodeAgent, ReactAgent, TaskStore, type AgentOptions } from "../../../src/agent/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { callLine, chunkLine, dataLine, END, errorBody } from "../../servers/model-chunks.js";
import { answerScenario } from "../../servers/model-scenarios.js";
import type { ModelAnswer } from "../../servers/model-server.js";
import { RUN } from "../../timeouts.mjs";
import {
  add,
  added,
  dictate,
  F,
  KEY,
  model,
  ofType,
  sent,
  server,
  useModelServer,
  type Dictated,
} from "./react-setup.js";
import { scriptedSession } from "./scripted-session.js";
import { toolSession } from "./tool-session.js";

type FaultOptions = Partial<Pick<AgentOptions, "model" | "retries" | "tasks">>;

interface Kind {
  readonly kind: string;
  /** The lines of a reply that adds 1 and 1 by the tool, and of one that answers 2. */
  readonly adds: readonly string[];
  readonly answers: readonly string[];
  readonly observation: string;
  readonly agent: (options: FaultOptions) => CodeAgent | ReactAgent;
}

/** A reply in pieces of a few characters. */
const pieces = (text: string): string[] => (text.match(/[^]{1,9}/g) ?? []).map((content) => chunkLine({ content }));
const said = (text: string): readonly string[] => [...pieces(text), chunkLine({}, "stop"), END];
const lines = (all: readonly string[]): ModelAnswer => ({ kind: "lines", lines: all });

const react = (toolCallingMode: "native" | "parsed") => (options: FaultOptions) =>
  new ReactAgent({ session: toolSession([add]), model: model(), retries: 0, toolCallingMode, ...options });

const kinds = {
  code: {
    kind: "a code agent",
    adds: said(`${F}python\ntools.add(a=1)\n${F}`),
    answers: said(`${F}python\nfinal_answer(2)\n${F}`),
    observation: "Observation:\nValue: 2",
    agent: (options) =>
      new CodeAgent({
        session: scriptedSession([
          () => {
            added.push([1, 1]);
            return { valueRepr: "2" };
          },
          () => ({ finalAnswer: { value: 2, text: "2", verifiedBy: null } }),
        ]),
        model: model(),
        retries: 0,
        ...options,
      }),
  },
  native: {
    kind: "a JSON agent with tool calls",
    adds: [
      callLine({ index: 0, id: "a", name: "add", arguments: "" }),
      callLine({ index: 0, arguments: '{"a"' }),
      callLine({ index: 0, arguments: ": 1}" }),
      chunkLine({}, "tool_calls"),
      END,
    ],
    answers: said("2"),
    observation: "Observation: 2",
    agent: react("native"),
  },
  parsed: {
    kind: "a JSON agent without",
    adds: said('{"tool": "add", "arguments": {"a": 1}}'),
    answers: said('{"answer": "2"}'),
    observation: "Observation: 2",
    agent: react("parsed"),
  },
} satisfies Record<string, Kind>;

interface Fault {
  readonly fault: string;
  readonly answer: Dictated;
  readonly code: string;
  /** Whether asking again may help. */
  readonly passes: boolean;
  /** Milliseconds of silence that the model is given. */
  readonly timeout?: number;
}

const named =
  (scenario: string): Dictated =>
  (request) =>
    answerScenario({ ...request, scenario });
const overWithCall = (end?: "drop"): ModelAnswer => ({
  kind: "lines",
  lines: [chunkLine({ content: "Once more." }), callLine({ index: 0, id: "b", name: "add", arguments: '{"a": 7}' })],
  ...(end === undefined ? {} : { end }),
});

const faults: readonly Fault[] = [
  { fault: "a key that is refused", answer: named("unauthorized"), code: "MODEL_AUTH", passes: false },
  { fault: "an account that is used up", answer: named("used-up"), code: "MODEL_QUOTA", passes: false },
  {
    fault: "a limit of the rate",
    answer: { kind: "status", status: 429, body: errorBody("Slow down."), headers: { "Retry-After": "0" } },
    code: "MODEL_RATE_LIMIT",
    passes: true,
  },
  { fault: "a server that fails", answer: named("broken"), code: "MODEL_SERVER", passes: true },
  { fault: "a redirect", answer: named("redirects"), code: "MODEL_RESPONSE", passes: false },
  { fault: "a web page", answer: named("nonsense"), code: "MODEL_RESPONSE", passes: false },
  { fault: "a malformed chunk", answer: named("malformed"), code: "MODEL_RESPONSE", passes: true },
  { fault: "an event without end", answer: named("endless-event"), code: "MODEL_RESPONSE", passes: false },
  { fault: "an error inside the stream", answer: named("error-inside"), code: "MODEL_SERVER", passes: true },
  { fault: "silence", answer: named("silent"), code: "MODEL_TIMEOUT", passes: true, timeout: 2000 },
  { fault: "silence in the middle", answer: named("stalls"), code: "MODEL_TIMEOUT", passes: true, timeout: 2000 },
  { fault: "a broken connection", answer: named("drops"), code: "MODEL_UNREACHABLE", passes: true },
  {
    fault: "a connection that breaks in a call",
    answer: named("call-that-drops"),
    code: "MODEL_UNREACHABLE",
    passes: true,
  },
  {
    fault: "a connection that breaks after a call",
    answer: overWithCall("drop"),
    code: "MODEL_UNREACHABLE",
    passes: true,
  },
  { fault: "a call without an end of the reply", answer: overWithCall(), code: "MODEL_RESPONSE", passes: true },
];

const modelFor = ({ timeout = RUN }: Fault) => model("test-model", { timeout });

/** What an agent makes of each fault. The waits between two requests are real ones, so each kind has a file of its own. */
export function modelFaults(name: keyof typeof kinds): void {
  useModelServer();
  const { kind, adds, answers, observation, agent }: Kind = kinds[name];

  describe(kind, () => {
    test.each(faults)("ends by $fault in its error, and goes on later without doing anything twice", async (fault) => {
      const tasks = new TaskStore(memoryStorage());
      dictate(lines(adds), fault.answer, lines(answers));
      const solver = agent({ model: modelFor(fault), tasks });
      const run = solver.run("What is one and one?");

      const result = await run.result;

      expect(result).toMatchObject({
        state: "error",
        answer: null,
        error: { code: fault.code },
        steps: [{ observation }, { observation: null }],
      });
      expect(ofType(run, "error")).toMatchObject([{ code: fault.code, step: 2, message: result.error?.message }]);
      expect(ofType(run, "model-retry")).toEqual([]);
      expect(server.requests).toHaveLength(2);
      expect(JSON.stringify(run.events)).not.toContain(KEY);

      const later = await solver.takeUp(await tasks.load(run.taskId)).result;

      expect(later).toMatchObject({ state: "completed", output: "2" });
      expect(later.steps[0]).toMatchObject({ observation });
      expect(added).toEqual([[1, 1]]);
    });

    test.each(faults.filter(({ passes }) => passes))(
      "asks again after $fault, with the same words, which its events show",
      async (fault) => {
        dictate(lines(adds), fault.answer, lines(answers));
        const run = agent({ model: modelFor(fault), retries: 1 }).run("What is one and one?");

        const result = await run.result;

        expect(result).toMatchObject({ state: "completed", output: "2", steps: [{ observation }, {}] });
        expect(ofType(run, "model-retry")).toMatchObject([{ step: 2, attempt: 1, code: fault.code }]);
        expect(sent(3)).toEqual(sent(2));
        expect(added).toEqual([[1, 1]]);
        expect(result.steps[1]).toMatchObject({ toolCalls: [] });
        expect(result.steps[1]?.reply).not.toMatch(/Let me|Once more|The sum follows/);
      },
    );

    test("reads replies through comments and chunks that hold nothing", async () => {
      const nothing = [": keep-alive", dataLine({ choices: [] }), chunkLine(null), dataLine({}), chunkLine({})];
      const among = (all: readonly string[]) =>
        lines(all.flatMap((line) => (line === END ? [line] : [...nothing, line])));
      dictate(among(adds), among(answers));

      const result = await agent({}).run("What is one and one?").result;

      expect(result).toMatchObject({ state: "completed", output: "2", steps: [{ observation }, {}] });
      expect(added).toEqual([[1, 1]]);
    });
  });
}

import { describe, expect, test } from "vitest";
import { z } from "zod";

import {
  add,
  added,
  answer42,
  calls,
  dictate,
  says,
  sent,
  solve,
  text,
  toldBefore,
  useModelServer,
} from "./react-setup.js";
import { toolSession } from "./tool-session.js";

useModelServer();

// A hundred real calls take a while on a busy machine.
describe("very many calls", () => {
  const list = (count: number) =>
    says(Array.from({ length: count }, (_, index) => ({ tool: "add", arguments: { a: index } })));

  test("of one reply are made as far as the first hundred, which is told", async () => {
    dictate(list(300), answer42);

    const result = await solve([add]).result;

    expect(result).toMatchObject({ state: "completed", usage: { toolCalls: 100 } });
    expect(added.at(-1)).toEqual([99, 1]);
    expect(toldBefore(2)).toMatch(
      /\n\nObservation: 100\n\nError: ToolError: your reply asks for 300 calls, and only the first 100 of one reply are made\. From 'add' on nothing was called/,
    );
    expect(toldBefore(2)?.match(/Observation: /g)).toHaveLength(100);
  });

  test("of one native reply too, and every call that is remembered is answered", async () => {
    const pieces = Array.from({ length: 101 }, (_, index) => ({
      id: `call-${String(index)}`,
      name: "add",
      arguments: JSON.stringify({ a: index }),
    }));
    dictate(calls(...pieces), text("42"));

    const result = await solve([add], { toolCallingMode: "native" }).result;

    expect(result).toMatchObject({ state: "completed", output: "42", usage: { toolCalls: 100 } });
    const Asked = z.looseObject({ tool_calls: z.array(z.looseObject({ id: z.string() })) });
    const [, , asked, ...answers] = sent(2).messages;
    expect(Asked.parse(asked).tool_calls.map(({ id }) => id)).toEqual(pieces.slice(0, 100).map(({ id }) => id));
    expect(answers.map(({ role }) => role)).toEqual([...Array<string>(100).fill("tool"), "user"]);
    expect(answers.at(-1)?.content).toMatch(/your reply asks for 101 calls/);
  });

  test("of one task end where the session bounds those of a run", async () => {
    dictate(list(2), list(2), answer42);

    const result = await solve([add], { session: toolSession([add], { limits: { callsPerRun: 3 } }) }).result;

    expect(added).toHaveLength(3);
    expect(result.steps[1]?.observation).toMatch(/^Observation: 1\n\nError: ToolError: This run has made 3 calls/);
    expect(result).toMatchObject({ state: "completed", output: "42" });
  });
});

import { z } from "zod";

import {
  functionTool,
  ToolCallError,
  ToolTimeoutError,
  ToolUnavailableError,
  type ToolAdapter,
  type Value,
} from "../../../src/index.js";
import { waitingCalls } from "../../conformance/index.js";

/** Errors that a tool can throw, by the class that Python must see. */
const errors: Readonly<Record<string, () => Error>> = {
  ToolTimeoutError: () => new ToolTimeoutError("fail", 2500),
  ToolUnavailableError: () => new ToolUnavailableError("fail", "no process", "Use url:"),
  ToolCallError: () => new ToolCallError("fail", "said no", { details: { status: 418 } }),
  Unexpected: () => new RangeError("out of range"),
};

/** What the cases call; each session has its own, since some of them remember. */
export function engineTools(): readonly ToolAdapter[] {
  const meeting = { arrived: 0, all: Promise.withResolvers<null>() };
  const aborted: string[] = [];
  return [
    functionTool({
      name: "identity",
      description: "Returns what it gets.",
      input: z.object({ value: z.any() }),
      hints: { readOnly: true },
      run: ({ value }) => value as Value,
    }),
    functionTool({
      name: "measure",
      description: "Length, first and last byte.",
      input: z.object({ data: z.instanceof(Uint8Array) }),
      hints: { readOnly: true },
      run: ({ data }) => [data.length, data[0] ?? null, data.at(-1) ?? null],
    }),
    functionTool({
      name: "megabytes",
      description: "So many megabytes, the first byte 1 and the last 255.",
      input: z.object({ count: z.number() }),
      hints: { readOnly: true },
      run: ({ count }) => {
        const bytes = new Uint8Array(count * 2 ** 20);
        bytes[0] = 1;
        bytes[bytes.length - 1] = 255;
        return bytes;
      },
    }),
    functionTool({
      name: "delegate",
      description: "Runs a skill.",
      input: z.object({ skill: z.string(), n: z.number() }),
      run: ({ skill, n }, { runSkill }) => runSkill(skill, { n }),
    }),
    functionTool({
      name: "fail",
      description: "Fails with an error of that class.",
      input: z.object({ kind: z.string() }),
      run: ({ kind }) => {
        throw errors[kind]?.() ?? new TypeError(kind);
      },
    }),
    functionTool({
      name: "meet",
      description: "Answers when so many of its calls are open at once.",
      input: z.object({ n: z.number() }),
      hints: { readOnly: true },
      run: async ({ n }) => {
        meeting.arrived += 1;
        if (meeting.arrived === n) meeting.all.resolve(null);
        await meeting.all.promise;
        return meeting.arrived;
      },
    }),
    functionTool({
      name: "never",
      description: "Does not answer, and notes that it was told to give up.",
      input: z.object({ name: z.string() }),
      run: ({ name }, { signal }) =>
        new Promise((_resolve, reject) => {
          const giveUp = (): void => {
            aborted.push(name);
            reject(new Error("aborted"));
          };
          signal.addEventListener("abort", giveUp);
          waitingCalls.dispatchEvent(new Event("never"));
        }),
    }),
    functionTool({
      name: "aborted",
      description: "The calls of `never` that were told to give up.",
      input: z.object({}),
      hints: { readOnly: true },
      run: () => aborted,
    }),
  ];
}

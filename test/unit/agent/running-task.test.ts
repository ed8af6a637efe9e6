import { describe, expect, test } from "vitest";

import { AgentTree, RunningTask, type SpreadLimits, type TaskInside } from "../../../src/agent/index.js";

const limits: SpreadLimits = { depth: 2, open: 2, perTask: 3 };
const root = () => new RunningTask({ agent: "code", budget: {}, prices: undefined, inside: undefined });

/** A task in the course of a call of another one. */
function below(task: RunningTask, place: Pick<TaskInside, "tree" | "depthLeft">, name = "below"): RunningTask {
  const caller = task.at(`${task.log.taskId}/1/code`);
  const inside = { name, callId: `call of ${name}`, caller, meter: task.meter, ...place };
  return new RunningTask({ agent: "code", budget: {}, prices: undefined, inside });
}

describe("agents that work in the course of tasks", () => {
  test("are only so deep, and no tool further below allows more", async () => {
    const first = root();
    let reached: string[] = [];

    const deeper = (task: RunningTask, allowed: SpreadLimits): Promise<void> =>
      task.spread(allowed, async (place) => {
        const inner = below(task, place, `agent ${String(task.path.length)}`);
        reached = inner.path.map(({ name }) => name);
        await deeper(inner, { ...limits, open: 10, depth: 9 });
      });
    await expect(deeper(first, { ...limits, open: 10 })).rejects.toMatchObject({
      code: "AGENT_DEPTH",
      depth: 2,
      name: "ToolCallError",
    });
    expect(reached).toEqual(["code", "agent 1", "agent 2"]);
  });

  test("are only so many at once, at whatever depth, and only so many for one task", async () => {
    const first = root();
    let finish = (): void => undefined;
    const end = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let inner: RunningTask | undefined;
    const working = first.spread(limits, (place) => {
      inner = below(first, place);
      return end;
    });
    const deeper = inner?.spread(limits, () => end);

    expect(() => first.spread(limits, () => end)).toThrow("2 work at once");
    finish();
    await Promise.all([working, deeper]);
    await first.spread(limits, () => end);
    await first.spread(limits, () => end);
    expect(() => first.spread(limits, () => end)).toThrow("has had 3 of them");
  });

  test("are waited for, also those that begin meanwhile and those that fail", async () => {
    const task = root();
    const ended: string[] = [];
    const begin = (name: string, next?: string): Promise<void> =>
      task.spread({ ...limits, open: 9 }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (next !== undefined) void begin(next).catch(() => undefined);
        ended.push(name);
        throw new Error(name);
      });
    const first = begin("first", "second").catch(() => undefined);

    await task.settled();
    await first;

    expect(ended).toEqual(["first", "second"]);
  });

  test("tell their events up to the first task, in one count", () => {
    const first = root();
    const inner = below(first, {
      tree: new AgentTree(),
      depthLeft: 1,
    });
    const say = (task: RunningTask, text: string): void =>
      task.log.add({
        type: "user-message",
        id: `${task.log.taskId}/${text}`,
        parentId: task.log.parentId,
        step: null,
        text,
      });

    say(first, "one");
    say(inner, "two");
    say(first, "three");
    first.log.end();
    say(inner, "late");

    expect(first.log.events.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    expect(first.log.events.map(({ taskId }) => taskId)).toEqual([
      first.log.taskId,
      inner.log.taskId,
      first.log.taskId,
    ]);
    expect(inner.log.events.map(({ sequence }) => sequence)).toEqual([1, 3]);
    expect(inner.log.parentId).toBe(`${first.log.taskId}/1/code`);
  });
});

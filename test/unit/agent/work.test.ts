import { describe, expect, test } from "vitest";

import { taskWork, type TaskInside, type Work } from "../../../src/agent/index.js";

const root = () => taskWork({ agent: "code", budget: {}, prices: undefined, inside: undefined });

/** A task that is solved for a call of another one. */
function below(task: Work, place: Pick<TaskInside, "agents" | "depthLeft">, name = "below"): Work {
  const caller = task.at(`${task.log.taskId}/1/code`);
  const inside = { name, callId: `call of ${name}`, caller, meter: task.meter, ...place };
  return taskWork({ agent: "code", budget: {}, prices: undefined, inside });
}

describe("agents that work in the course of tasks", () => {
  test("are named on the way to them, and waited for, also those that begin meanwhile and those that fail", async () => {
    const task = root();
    const ended: string[] = [];
    const work = async (name: string, next?: string): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (next !== undefined) task.addAgent(work(next), `call of ${next}`);
      ended.push(name);
      throw new Error(name);
    };
    task.addAgent(work("first", "second"), "call of first");

    await task.settled();

    expect(ended).toEqual(["first", "second"]);
    expect(task.agentsStarted).toBe(2);
    const inner = below(
      below(task, { agents: task.agents, depthLeft: 1 }, "one"),
      { agents: task.agents, depthLeft: 0 },
      "two",
    );
    expect(inner.path.map(({ name, callId }) => [name, callId])).toEqual([
      ["code", null],
      ["one", "call of one"],
      ["two", "call of two"],
    ]);
  });

  test("are not all that a task waits for: a program in its course is waited for, and is no agent", async () => {
    const task = root();
    let ended = false;
    task.waitFor(
      new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => {
        ended = true;
      }),
      "call of a program",
    );

    await task.settled();

    expect(ended).toBe(true);
    expect(task.agentsStarted).toBe(0);
    expect(["call of a program", "another call"].map((id) => task.isReportedInside(id))).toEqual([true, false]);
  });

  test("tell their events up to the first task, in one count", () => {
    const first = root();
    const inner = below(first, {
      agents: { open: 0 },
      depthLeft: 1,
    });
    const say = (task: Work, text: string): void =>
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

import { afterEach, describe, expect, test, vi } from "vitest";

import { AgentLoadError, TaskEndedError, type AgentEvent } from "../../../src/agent/index.js";
import type { AgentKind } from "../../../src/agent/work/agent-kind.js";
import { LazyKind } from "../../../src/agent/loop/lazy-kind.js";
import { answer42, dictate, model, server, solve, useModelServer } from "./react-setup.js";

useModelServer();
afterEach(() => {
  vi.resetModules();
  vi.doUnmock("../../../src/agent/react/react-kind.js");
  vi.doUnmock("../../../src/agent/loop/open-loop.js");
});

const noFile = (): never => {
  throw new Error("404");
};
const typesOf = (events: readonly AgentEvent[]): string[] => events.map(({ type }) => type);

describe("a part that does not load", () => {
  test("ends the task with a typed error that its events tell, and is loaded by the next task", async () => {
    dictate(answer42);
    vi.doMock("../../../src/agent/react/react-kind.js", noFile);
    const failed = solve();

    const result = await failed.result;

    expect(result).toMatchObject({ state: "error", error: { code: "AGENT_LOAD" }, steps: [] });
    expect(result.error?.message).toContain("JSON agent");
    expect(typesOf(failed.events)).toEqual(["task-started", "error", "task-ended"]);
    expect(failed.events[1]).toMatchObject({ code: "AGENT_LOAD", name: "AgentLoadError", error: result.error });
    expect(server.requests).toEqual([]);

    vi.doUnmock("../../../src/agent/react/react-kind.js");
    expect(await solve().result).toMatchObject({ state: "completed", output: "42" });
  });

  test("is told of in the same way where it is the loop", async () => {
    dictate(answer42);
    vi.doMock("../../../src/agent/loop/open-loop.js", noFile);
    const failed = solve([], { model: model() });

    const result = await failed.result;

    expect(result.error).toBeInstanceOf(AgentLoadError);
    expect(typesOf(failed.events)).toEqual(["error", "task-ended"]);
    expect(failed.events[0]).toMatchObject({ code: "AGENT_LOAD", parentId: failed.taskId });

    vi.doUnmock("../../../src/agent/loop/open-loop.js");
    expect(await solve().result).toMatchObject({ state: "completed", output: "42" });
  });

  test("comes too late for a task that was stopped meanwhile, and opens nothing", async () => {
    let resolve: (kind: AgentKind) => void = () => undefined;
    const loading = new Promise<AgentKind>((loaded) => {
      resolve = loaded;
    });
    const systemPrompt = vi.fn(() => Promise.resolve(""));
    const kind = new LazyKind("react", { taskId: "task-7", load: () => loading });
    const prompt = kind.systemPrompt(() => undefined);

    await kind.close();
    resolve({
      name: "react",
      systemPrompt,
      request: () => ({}),
      act: () => Promise.reject(new Error("There is no step.")),
    });

    await expect(prompt).rejects.toEqual(new TaskEndedError("task-7"));
    await expect(prompt).rejects.toMatchObject({ taskId: "task-7" });
    expect(systemPrompt).not.toHaveBeenCalled();
  });
});

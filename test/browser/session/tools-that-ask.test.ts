import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import type { ApprovalAnswer, ApprovalRequest } from "../../../src/dispatch/index.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { RUN } from "../../timeouts.mjs";

const opened: Session[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

/** A session whose tool `note` writes a note where it may. */
async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  const note = functionTool({
    name: "note",
    description: "Writes a note.",
    input: z.object({ text: z.string() }),
    hints: { destructive: true },
    asksItself: true,
    run: async ({ text }, { askAbout }) => {
      const after = text.toUpperCase();
      const file = { path: "note.txt", operation: "create", before: null, after, difference: `+${after}` } as const;
      const answer = (await askAbout({ files: [{ ...file, image: null, notes: [] }] })).get("note.txt");
      if (answer?.decision === "accept") await session.workspace.write("note.txt", after);
      return `${answer?.decision ?? ""} ${answer?.reason ?? ""}`.trim();
    },
  });
  const runInside = functionTool({
    name: "run_inside",
    description: "Runs code in an interpreter of its own.",
    input: z.object({ code: z.string() }),
    timeout: RUN,
    run: async ({ code }, { callId, signal }) => {
      const child = await session.openChild({ trust: "local", parentCall: callId });
      try {
        return (await child.run(code, { signal })).value;
      } finally {
        await child.close();
      }
    },
  });
  const given: SessionOptions = { storage: memoryStorage(), trust: "local", tools: [note, runInside], ...options };
  const session = await Session.open(given);
  opened.push(session);
  return session;
}

function answering(answer: ApprovalAnswer, wait = 0) {
  const asked: ApprovalRequest[] = [];
  const onApproval = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
    asked.push(request);
    await new Promise((resolve) => setTimeout(resolve, wait));
    return answer;
  };
  return { asked, onApproval };
}

describe("a tool that asks for itself", () => {
  test("shows a person what it would write, and writes it when they allow it", async () => {
    const { asked, onApproval } = answering({ decision: "allow" });
    const session = await open({ onApproval });

    const { value, calls, error } = await session.run("tools.note(text='hello')");

    expect(error).toBeNull();
    expect(value).toBe("accept");
    expect(asked).toMatchObject([{ name: "tools.note", files: [{ path: "note.txt", after: "HELLO" }] }]);
    expect(calls[0]).toMatchObject({ name: "note", approval: "allowed" });
    expect(new TextDecoder().decode(await session.workspace.read("note.txt"))).toBe("HELLO");
  });

  test("gives the code the person's reason, and writes nothing", async () => {
    const { onApproval } = answering({ decision: "deny", reason: "in lower case, please" });
    const session = await open({ onApproval });

    const { value, calls } = await session.run("tools.note(text='hello')");

    expect(value).toBe("refuse in lower case, please");
    expect(calls[0]).toMatchObject({ approval: "denied", outcome: { kind: "ok" } });
    expect(await session.workspace.list()).toEqual([]);
  });

  test("has not begun where there is nobody to ask", async () => {
    const session = await open();

    const { error, calls } = await session.run("tools.note(text='hello')");

    expect(error?.pythonType).toBe("ToolNotAllowedError");
    expect(calls[0]).toMatchObject({ name: "note", approval: "denied" });
  });

  test("asks the person of the session around the one that calls it, and the clocks of both stand still", async () => {
    const { asked, onApproval } = answering({ decision: "allow" }, 4500);
    const session = await open({ onApproval, timeout: 4000 });

    const { value, error } = await session.run(`tools.run_inside(code="tools.note(text='from inside')")`);

    expect(error).toBeNull();
    expect(value).toBe("accept");
    expect(asked).toMatchObject([{ name: "tools.note", inAgentRun: true, files: [{ after: "FROM INSIDE" }] }]);
  });

  test("is given up with its question when the run is stopped", async () => {
    const asking = Promise.withResolvers<AbortSignal>();
    const session = await open({
      onApproval: (_, { signal }) => {
        asking.resolve(signal);
        return new Promise(() => undefined);
      },
    });

    const run = session.run("tools.note(text='hello')");
    const signal = await asking.promise;
    session.interrupt();

    expect((await run).error?.pythonType).toBe("RunInterruptedError");
    expect(signal.aborted).toBe(true);
    expect(await session.workspace.list()).toEqual([]);
  });
});

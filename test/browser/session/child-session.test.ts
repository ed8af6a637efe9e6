import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import type { ApprovalRequest } from "../../../src/dispatch/index.js";
import {
  Session,
  type ChildOptions,
  type ChildSession,
  type RunResult,
  type SessionOptions,
} from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool, type ToolAdapter } from "../../../src/tools/index.js";
import { RUN } from "../../timeouts.mjs";

const echo = functionTool({
  name: "echo",
  description: "Says it again.",
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
});
const secret = functionTool({ name: "secret", description: "Not for all.", input: z.object({}), run: () => "secret" });

const opened: Session[] = [];
async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  // What is tested holds at every level; a worker of the page is there soonest.
  const session = await Session.open({ storage: memoryStorage(), tools: [echo, secret], trust: "local", ...options });
  opened.push(session);
  return session;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

/** A tool that runs code in a child of the session, in the course of its call. */
function runner(
  session: () => Session,
  options: Omit<ChildOptions, "parentCall"> = {},
  hear: (result: RunResult) => void = () => undefined,
): ToolAdapter {
  return functionTool({
    name: "run_inside",
    description: "Runs code in an interpreter of its own.",
    input: z.object({ code: z.string() }),
    timeout: RUN,
    run: async ({ code }, { callId, signal }) => {
      const child = await session().openChild({ trust: "local", ...options, parentCall: callId });
      try {
        const result = await child.run(code, { signal });
        hear(result);
        return result.error === null ? result.value : result.error.pythonType;
      } finally {
        await child.close();
      }
    },
  });
}

const call = (code: string) => `tools.run_inside(code=${JSON.stringify(code)})`;

describe("a session inside a session", () => {
  test("has variables of its own, and the parent's files, skills and artifacts", async () => {
    const session = await open();
    await session.run("here = 1");
    await session.workspace.write("data.txt", new TextEncoder().encode("rows"));
    const child = await session.openChild();

    const alone = await child.run("here");
    const read = await child.run("open('/workspace/data.txt').read()");
    await child.run("artifacts.save('made', {'by': 'child'})\nopen('/workspace/out.txt', 'w').write('x')");

    expect(alone.error?.pythonType).toBe("NameError");
    expect(read.value).toBe("rows");
    expect(await session.artifacts.load("made")).toEqual({ by: "child" });
    expect((await session.workspace.list()).map(({ path }) => path)).toContain("out.txt");
  });

  test("may have a storage of its own", async () => {
    const session = await open();
    await session.artifacts.save("mine", 1);
    const child = await session.openChild({ trust: "local", storage: memoryStorage() });

    await child.run("artifacts.save('own', 2)");

    expect((await child.artifacts.list()).map(({ name }) => name)).toEqual(["own"]);
    expect((await session.artifacts.list()).map(({ name }) => name)).toEqual(["mine"]);
  });

  test("is never weaker than its parent", async () => {
    const session = await open({ trust: "sandboxed", imports: ["json", "math"] });

    await expect(session.openChild({ trust: "local" })).rejects.toMatchObject({ code: "SESSION_OPTIONS" });
    const child = await session.openChild({ imports: ["math", "os"] });
    expect(child.trust).toBe("sandboxed");
    expect((await child.run("import math")).error).toBeNull();
    expect((await child.run("import os")).error?.pythonType).toBe("ImportNotAllowedError");
    expect((await child.run("import json")).error?.pythonType).toBe("ImportNotAllowedError");
  });

  test("asks the parent's person, and both clocks stand still meanwhile", async () => {
    const asked: ApprovalRequest[] = [];
    const session = await open({
      timeout: 4000,
      approvals: { "tools.echo": "ask" },
      onApproval: async (request) => {
        asked.push(request);
        await new Promise((resolve) => setTimeout(resolve, 4500));
        return { decision: "allow" };
      },
    });
    session.tools.register(runner(() => session));

    const { value, error } = await session.run(call("tools.echo(text='a')"));

    expect(error).toBeNull();
    expect(value).toBe("a");
    expect(asked).toMatchObject([{ name: "tools.echo", inAgentRun: true }]);
  });

  test("sees what the caller of its tool sees, and is bound by the policy of its run", async () => {
    const session = await open();
    session.tools.register(runner(() => session));
    const scope = { names: ["run_inside", "echo"] };

    const seen = await session.run(call("[tool.name for tool in tools.list()]"), { scope });
    const refused = await session.run(call("tools.echo(text='a')"), {
      policy: ({ name }) => (name === "echo" ? { kind: "deny", reason: "not now" } : { kind: "allow" }),
    });

    expect(seen.value).toEqual(["echo", "run_inside"]);
    expect(refused.value).toBe("ToolNotAllowedError");
  });

  test("counts in the budget of the run that it works for", async () => {
    const session = await open({ limits: { callsPerRun: 20 } });
    session.tools.register(runner(() => session, { limits: { callsPerRun: 1_000_000 } }));

    const { value } = await session.run(call("for i in range(50): tools.echo(text=str(i))"));
    const after = await session.run("tools.echo(text='again')");

    expect(value).toBe("CallBudgetError");
    expect(after.value).toBe("again");
  });

  test("works inside of calls only so deep", async () => {
    const session = await open({ limits: { nestingDepth: 3 }, timeout: RUN });
    session.tools.register(runner(() => session));
    const nested = call(call(call("tools.echo(text='deep')")));

    const { value } = await session.run(nested);

    expect(value).toBe("NestingDepthError");
  });

  test("runs nothing once the call that it works for has ended", async () => {
    let kept: ChildSession | undefined;
    const keeps = functionTool({
      name: "keeps",
      description: "Keeps a child.",
      input: z.object({}),
      run: async (_, { callId }) => {
        kept = await opened[0]?.openChild({ trust: "local", parentCall: callId });
        return (await kept?.run("1 + 1"))?.value ?? null;
      },
    });
    const session = await open({ tools: [keeps] });

    expect((await session.run("tools.keeps()")).value).toBe(2);
    expect((await kept?.run("1 + 1"))?.error).toMatchObject({ code: "CALL_ENDED" });
  });

  test("imports no more than its parent, than the run it works for, and than itself", async () => {
    const session = await open({ imports: ["math", "json"] });
    const child = await session.openChild({ imports: ["math", "os"] });
    expect((await child.run("import os")).error?.message).toMatch(/^Import 'os' not allowed/);
    expect((await child.run("import os", { imports: ["os", "math"] })).error?.message).toMatch(/^Import 'os'/);
    expect((await child.run("import math", { imports: ["os", "math"] })).error).toBeNull();

    const results: RunResult[] = [];
    session.tools.register(
      runner(
        () => session,
        {},
        (result) => results.push(result),
      ),
    );
    await session.run(call("import math"), { imports: ["json"] });
    expect(results[0]?.error?.message).toMatch(/^Import 'math' not allowed/);
  });

  test("is refused limits that are none", async () => {
    const session = await open();
    await expect(session.openChild({ limits: { callsPerRun: NaN } })).rejects.toMatchObject({
      code: "SESSION_OPTIONS",
    });
    await expect(session.openChild({ timeout: NaN })).rejects.toMatchObject({ code: "SESSION_OPTIONS" });
  });

  test("stops the clocks up to the root while its code asks a person", async () => {
    const pauses: string[] = [];
    const session: Session = await open({ onInput: () => Promise.resolve("yes") });
    const inside = functionTool({
      name: "inside",
      description: "Asks in a child of a child.",
      input: z.object({}),
      timeout: RUN,
      run: async (_, { callId }) => {
        const child = await session.openChild({ trust: "local", parentCall: callId });
        const grandchild = await child.openChild({ trust: "local" });
        return (await grandchild.run("input('Sure?')")).value;
      },
    });
    session.tools.register(inside);
    const onPause = () => {
      pauses.push("paused");
      return () => pauses.push("resumed");
    };

    const result = await session.run("tools.inside()", { onPause });

    expect(result.value).toBe("yes");
    expect(pauses).toEqual(["paused", "resumed"]);
  });

  test("stands in the parent's journal, below the call in whose course it works", async () => {
    const session = await open();
    session.tools.register(runner(() => session));

    await session.run(call("tools.echo(text='a')"));

    const entries = await session.journal.list();
    const asked = entries.find(({ name }) => name === "run_inside");
    expect(entries.find(({ name }) => name === "echo")).toMatchObject({ parent: asked?.id, outcome: { kind: "ok" } });
    expect(entries.filter(({ namespace, parent }) => namespace === "runs" && parent === asked?.id)).toHaveLength(1);
  });

  test("hears whole results of its calls, which the journal cuts", async () => {
    const heard: unknown[] = [];
    const session = await open();
    const child = await session.openChild({
      trust: "local",
      onTool: ({ name }) => ({
        returned: (value) => heard.push([name, typeof value === "string" ? value.length : value]),
        failed: () => undefined,
      }),
    });

    await child.run("tools.echo(text='x' * 10000)");

    expect(heard).toEqual([["echo", 10_000]]);
  });

  test("sees no tool that its parent's code defined, and defines none", async () => {
    const session = await open();
    const define = "from vitrine import tool\n@tool\ndef twice(number: int) -> int:\n    return 2 * number\n";
    await session.run(define);
    const child = await session.openChild();

    const listed = await child.run("[tool.name for tool in tools.list()]");
    const defined = await child.run(define);
    await child.close();

    expect(listed.value).toEqual(["echo", "secret"]);
    expect(defined.error?.message).toContain("a session inside another one defines no tools");
    expect((await session.run("tools.twice(number=2)")).value).toBe(4);
  });

  test("works on the files of the code that waits for it, which finds there what it wrote", async () => {
    const session = await open();
    session.tools.register(runner(() => session));
    const inside = ["from pathlib import Path", "at = Path('/workspace')", "seen = (at / 'given.txt').read_text()"];
    const outside = (name: string, ...after: string[]): string =>
      [
        "from pathlib import Path",
        `Path('/workspace/given.txt').write_text('${name}')`,
        `seen = ${call([...inside, "(at / 'made.txt').write_text(seen.upper())", "(at / 'given.txt').unlink()", "seen"].join("\n"))}`,
        ...after,
      ].join("\n");

    const result = await session.run(
      outside("one", "[seen, sorted(path.name for path in Path('/workspace').iterdir())]"),
    );
    const stopped = await session.run(outside("two", "Path('/workspace/made.txt').write_text('mine')", "1 / 0"));

    expect(result.value).toEqual(["one", ["made.txt"]]);
    expect(result.notices).toEqual([]);
    expect(stopped.notices).toEqual([]);
    expect(new TextDecoder().decode(await session.workspace.read("made.txt"))).toBe("mine");
    expect((await session.workspace.list()).map(({ path }) => path)).toEqual(["made.txt"]);
  });

  test("of another level takes no file away from the code that waits, and that is told what it does not get", async () => {
    const session = await open();
    session.tools.register(runner(() => session, { trust: "sandboxed" }));
    const inside = "open('/workspace/data.csv', 'a').write('more\\n')\nopen('/workspace/new.csv', 'w').write('new')";

    const { value, notices } = await session.run(
      `import os\nopen('/workspace/data.csv', 'w').write('mine\\n')\n${call(inside)}\n[os.listdir('/workspace'), open('/workspace/data.csv').read()]`,
    );

    expect(value).toEqual([["data.csv"], "mine\n"]);
    expect(notices.filter((notice) => notice.includes("written at trust level sandboxed"))).toHaveLength(2);
    expect(new TextDecoder().decode(await session.workspace.read("data.csv"))).toBe("mine\nmore\n");
  });

  test("has none of its caller's files where it has a place of its own", async () => {
    const session = await open();
    session.tools.register(runner(() => session, { storage: memoryStorage() }));
    const lists = "import os\nopen('/workspace/own.txt', 'w').close()\nsorted(os.listdir('/workspace'))";

    const { value } = await session.run(
      `import os\nopen('/workspace/given.txt', 'w').close()\n[${call(lists)}, os.listdir('/workspace')]`,
    );

    expect(value).toEqual([["own.txt"], ["given.txt"]]);
  });

  test("shows a client its own tools, and notes what that calls in the parent's journal", async () => {
    const session = await open();
    const child = await session.openChild({ scope: { names: ["echo"] } });
    const client = child.client();

    expect(client.listTools().map(({ name }) => name)).toEqual(["echo"]);
    expect(await client.callTool("echo", { text: "hello" })).toBe("hello");
    await expect(client.callTool("secret", {})).rejects.toMatchObject({ code: "TOOL_NOT_FOUND" });
    expect((await client.run("tools.echo(text='run')")).value).toBe("run");
    expect(await session.journal.list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "echo", caller: "client", trust: "sandboxed", arguments: { text: "hello" } }),
      ]),
    );

    await child.close();
    await expect(client.callTool("echo", { text: "late" })).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  });

  test("ends with its parent, and not the other way round", async () => {
    const session = await open();
    const first = await session.openChild({ trust: "local" });
    const second = await session.openChild({ trust: "local" });

    await first.close();
    expect((await session.run("tools.echo(text='still')")).value).toBe("still");
    await session.close();

    expect((await second.run("1")).error?.code).toBe("SESSION_CLOSED");
    await expect(session.openChild()).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  });

  test("is not opened for a call that has ended", async () => {
    const session = await open();

    await expect(session.openChild({ parentCall: "nothing.1" })).rejects.toMatchObject({ code: "CALL_ENDED" });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { Session, SessionClosedError } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { RUN } from "../../timeouts.mjs";

const echo = functionTool({
  name: "echo",
  description: "Says it again.",
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
});

let session: Session;
beforeAll(async () => {
  session = await Session.open({
    storage: memoryStorage(),
    trust: "local",
    timeout: RUN,
    onApproval: () => ({ decision: "allow" }),
  });
  await session.run('artifacts.save("kept.txt", "before")');
});
afterAll(() => session.close());

describe("a session in which something is tried", () => {
  test("sees what is stored, and what it writes goes with it", async () => {
    const trial = await session.openTrial();
    const written = await trial.run(
      'artifacts.save("kept.txt", "after")\nartifacts.save("new.txt", "1")\n' +
        'artifacts.load("kept.txt"), artifacts.load("new.txt")',
    );
    await trial.close();

    expect(written).toMatchObject({ error: null });
    expect(written.value).toEqual(["after", "1"]);
    const left = await session.run('artifacts.load("kept.txt"), artifacts.exists("new.txt")');
    expect(left.value).toEqual(["before", false]);
  });

  test("is sealed whatever the opener's trust is, and has the given tools alone", async () => {
    const trial = await session.openTrial({ tools: [echo] });
    const tools = await trial.run('tools.echo(text="again"), [tool.name for tool in tools.list()]');
    const origin = await trial.run("import js\njs.origin");
    await trial.close();

    expect(tools.value).toEqual(["again", ["echo"]]);
    expect(origin.value).toBe("null");
  });

  test.each([
    'skills.create("one", "def run():\\n    return 1", "One.")',
    'deps.add("attrs")',
    'artifacts.delete("kept.txt")',
  ])("%s would last, and is refused without a question", async (code) => {
    const trial = await session.openTrial();
    const { error } = await trial.run(code);
    await trial.close();

    expect(error?.code).toBe("CALL_NOT_ALLOWED");
    expect((await session.artifacts.list()).map(({ name }) => name)).toEqual(["kept.txt"]);
    expect((await session.skills.list()).skills).toEqual([]);
  });

  test("ends a run at its own limit, and goes on", async () => {
    const trial = await session.openTrial({ timeout: 2000 });
    const { error } = await trial.run("while True:\n    pass");
    const next = await trial.run("1 + 1");
    await trial.close();

    expect(error).toMatchObject({ code: "RUN_TIMEOUT", message: "Execution timeout after 2 seconds" });
    expect(next.value).toBe(2);
  });

  test.each([
    { own: 60_000, wanted: "a longer one" },
    { own: null, wanted: "none" },
  ])("keeps to the opener's limit where it is to have $wanted", async ({ own }) => {
    const opener = await Session.open({ storage: memoryStorage(), trust: "local", timeout: 300 });
    const trial = await opener.openTrial({ timeout: own });
    const { error } = await trial.run("while True:\n    pass");
    await opener.close();

    expect(error).toMatchObject({ code: "RUN_TIMEOUT", message: "Execution timeout after 0.3 seconds" });
  });

  test("ends with its opener, which opens none once it is closed", async () => {
    const opener = await Session.open({ storage: memoryStorage(), trust: "local" });
    const trial = await opener.openTrial();
    await opener.close();

    expect((await trial.run("1")).error?.code).toBe("SESSION_CLOSED");
    await expect(opener.openTrial()).rejects.toThrow(SessionClosedError);
  });

  test("ends with its opener, also while it opens", async () => {
    const opener = await Session.open({ storage: memoryStorage(), trust: "local" });
    const opening = opener.openTrial();
    const refused = expect(opening).rejects.toThrow(SessionClosedError);
    await opener.close();

    await refused;
  });
});

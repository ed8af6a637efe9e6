import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { agentTool, CodeAgent } from "../../../src/agent/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";

const toolNamed = (name: string) =>
  functionTool({ name, description: `Is ${name}.`, input: {}, run: () => `from ${name}` });

const LIST = "sorted(tool.name for tool in tools.list())";

describe("tools of a session inside another one", () => {
  let session: Session;
  beforeAll(async () => {
    session = await Session.open({ storage: memoryStorage(), tools: [toolNamed("outer")] });
  });
  afterAll(() => session.close());

  test("are those of its parent, those on files where it is told so, and its own", async () => {
    const child = await session.openChild({ fileTools: true, tools: [toolNamed("inner")] });

    const { value } = await child.run(`[tools.inner(), tools.outer(), len(${LIST}), tools.search('inner')[0].name]`);
    expect(value).toEqual(["from inner", "from outer", 10, "inner"]);
    expect(child.tools.list().map(({ name }) => name)).toContain("apply_patch");
    await child.close();
    expect((await session.run(LIST)).value).toEqual(["outer"]);
  });

  test("cannot have a name that its parent's have", async () => {
    await expect(session.openChild({ tools: [toolNamed("outer")] })).rejects.toMatchObject({ code: "TOOL_NAME_TAKEN" });
    const onFiles = session.openChild({ fileTools: true, tools: [toolNamed("read_file")] });
    await expect(onFiles).rejects.toMatchObject({ code: "TOOL_NAME_TAKEN" });
  });

  test("are those on files for an agent that works as a tool, where it is told so", async () => {
    const lister = agentTool({
      name: "lister",
      description: "Lists its tools.",
      session,
      storage: memoryStorage(),
      fileTools: true,
      scope: { names: [] },
      agent: (child) => new CodeAgent({ session: child, model: dictated(block(`final_answer(${LIST})`)) }),
    });
    session.tools.register(lister);

    expect((await session.run("'read_file' in tools.lister(task='List.')")).value).toBe(true);
    await session.tools.remove("lister");
  });

  test.each([
    ["a storage of its own", { recordsChanges: "task", storage: memoryStorage() }, "without a `storage` of its own"],
    ["an id that is no part of a key", { recordsChanges: "../task" }, "must be 1 to 64 letters"],
  ])("records no changes with %s", async (_name, options, message) => {
    await expect(session.openChild(options)).rejects.toMatchObject({
      code: "SESSION_OPTIONS",
      message: expect.stringContaining(message) as string,
    });
  });

  test("and sessions inside it are recorded together, until it is closed", async () => {
    const child = await session.openChild({ recordsChanges: "both" });
    const inner = await child.openChild();
    await child.run("open('/workspace/outer.txt', 'w').write('1')");
    await inner.run("open('/workspace/inner.txt', 'w').write('2')");
    await session.run("open('/workspace/other.txt', 'w').write('3')");
    await child.close();

    const changes = await session.workspace.changes("both");
    expect([changes?.state, (await changes?.files())?.map(({ path }) => path)]).toEqual([
      "done",
      ["inner.txt", "outer.txt"],
    ]);
  });
});

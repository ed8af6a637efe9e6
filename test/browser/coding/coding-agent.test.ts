import { afterEach, describe, expect, test } from "vitest";

import { checkProject } from "../../../eval/projects/check-project.js";
import { evalProjects } from "../../../eval/projects/index.js";
import { readTree } from "../../../eval/projects/trees.js";
import { TaskStore, type AgentRun } from "../../../src/agent/index.js";
import { codingAgent } from "../../../src/coding/index.js";
import type { Model } from "../../../src/model/index.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { dictated } from "../../agents/dictated-model.js";
import { block } from "../../agents/replies.js";

const [ledger] = evalProjects;
if (ledger === undefined) throw new TypeError("The project is missing.");

const PATCH = [
  "*** Begin Patch",
  "*** Update File: ledger/money.py",
  "@@ def allocate(cents: int, weights: Sequence[int]) -> list[int]:",
  "     total = sum(weights)",
  "-    shares = [int(cents * weight / total) for weight in weights]",
  "+    if cents < 0:",
  "+        return [-share for share in allocate(-cents, weights)]",
  "+    shares = [int(cents * weight / total) for weight in weights]",
  "*** End Patch",
].join("\n");

/** A picture of one pixel. */
const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

const opened: Session[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

/** A session with the project in its workspace, in which patches and commands are not asked about. */
async function openProject(options: Partial<SessionOptions> = {}): Promise<Session> {
  const approvals = { "tools.apply_patch": "allow", "tools.shell_command": "allow" } as const;
  const session = await Session.open({ storage: memoryStorage(), approvals, ...options });
  opened.push(session);
  await session.workspace.writeAll(ledger?.files ?? new Map());
  return session;
}

async function problemsOf(session: Session): Promise<unknown> {
  return ledger === undefined ? null : checkProject(ledger, await readTree(session.workspace));
}

const observationsOf = (run: AgentRun): string[] =>
  run.events.flatMap((event) => (event.type === "step-ended" ? [event.observation ?? ""] : []));

const codeReplies = [
  block(
    "print(tools.grep_files(pattern='def allocate', include='*.py'))",
    "print(tools.read_file(file_path='/workspace/ledger/money.py', offset=24, limit=12))",
    "report = tools.run_tests()",
    "print(report['ran'], [each['test'] for each in report['failed']])",
  ),
  block(`tools.apply_patch(input='''${PATCH}''')`, "print(tools.run_tests()['failed'])"),
  block("final_answer('A refund is split as its purchase now.', verified_by='all tests')"),
];

const call = (name: string, given: Record<string, unknown> = {}): string =>
  JSON.stringify({ tool: name, arguments: given });

const reactReplies = [
  call("grep_files", { pattern: "def allocate", include: "*.py" }),
  call("read_file", { file_path: "/workspace/ledger/money.py", offset: 24, limit: 12 }),
  call("run_tests", { targets: ["tests/test_report.py"] }),
  call("apply_patch", { input: PATCH }),
  call("run_tests"),
  JSON.stringify({ answer: "A refund is split as its purchase now." }),
];

describe("a coding agent", () => {
  test.each([
    ["code", codeReplies],
    ["react", reactReplies],
  ] as const)(
    "reads, searches, patches and tests a project, as a %s agent, and leaves its diff",
    async (kind, replies) => {
      const session = await openProject();
      const model = dictated(...replies);
      const agent = kind === "code" ? codingAgent({ session, model }) : codingAgent({ session, model, kind });

      const run = agent.run("Make the failing test pass.");
      const { state, output } = await run.result;

      expect([state, output]).toEqual(["completed", "A refund is split as its purchase now."]);
      expect(observationsOf(run).join("\n")).toContain("test_total_is_what_was_spent_after_a_refund");
      expect(await problemsOf(session)).toEqual([]);
      const name = `diffs/${run.taskId}.diff`;
      expect(run.events.filter(({ type }) => type === "artifact")).toMatchObject([{ name, step: null }]);
      expect(run.events.at(-1)?.type).toBe("task-ended");
      expect(await session.artifacts.load(name)).toBe(
        [
          "diff --git a/ledger/money.py b/ledger/money.py",
          "--- a/ledger/money.py",
          "+++ b/ledger/money.py",
          "@@ -27,6 +27,8 @@",
          " def allocate(cents: int, weights: Sequence[int]) -> list[int]:",
          '     """Split an amount by weights into whole cents. The first shares get the odd cents."""',
          "     total = sum(weights)",
          "+    if cents < 0:",
          "+        return [-share for share in allocate(-cents, weights)]",
          "     shares = [int(cents * weight / total) for weight in weights]",
          "     for index in range(cents - sum(shares)):",
          "         shares[index] += 1",
          "",
        ].join("\n"),
      );
    },
  );

  test("a task is undone as one, and made again", async () => {
    const session = await openProject();
    const before = await readTree(session.workspace);
    const code = [
      `tools.apply_patch(input='''${PATCH}''')`,
      "import pathlib",
      "pathlib.Path('/workspace/notes.txt').write_text('found it')",
      "pathlib.Path('/workspace/README.md').unlink()",
      "tools.shell_command(command='mkdir -p docs && mv pyproject.toml docs/settings.toml')",
      "final_answer('done')",
    ];
    const run = codingAgent({ session, model: dictated(block(...code)) }).run("Mend it.");
    await run.result;
    const after = await readTree(session.workspace);
    const changes = await session.workspace.changes(run.taskId);

    expect(await changes?.files()).toEqual([
      { path: "README.md", kind: "deleted" },
      { path: "docs/settings.toml", kind: "added" },
      { path: "ledger/money.py", kind: "changed" },
      { path: "notes.txt", kind: "added" },
      { path: "pyproject.toml", kind: "deleted" },
    ]);
    await changes?.undo();
    expect([await readTree(session.workspace), changes?.state]).toEqual([before, "undone"]);
    expect((await session.run("import os; sorted(os.listdir('/workspace'))")).value).not.toContain("notes.txt");
    await changes?.redo();
    expect([await readTree(session.workspace), changes?.state]).toEqual([after, "done"]);
  });

  test("what somebody changed since is not undone, and nothing else either", async () => {
    const session = await openProject();
    const run = codingAgent({ session, model: dictated(...codeReplies) }).run("Mend it.");
    await run.result;
    const after = await readTree(session.workspace);
    await session.workspace.write("ledger/money.py", "mine");

    const changes = await session.workspace.changes(run.taskId);
    await expect(changes?.undo()).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT", path: "ledger/money.py" });
    expect(await readTree(session.workspace)).toEqual(new Map([...after, ["ledger/money.py", "mine"]]));
    expect(changes?.state).toBe("done");
  });

  test("a task that fails leaves its diff, and one that changes nothing leaves none", async () => {
    const session = await openProject();
    const patches = block(`tools.apply_patch(input='''${PATCH}''')`);
    const failed = codingAgent({ session, model: dictated(patches), maxSteps: 1 }).run("Mend it.");
    const idle = codingAgent({ session, model: dictated(block("final_answer(1)")) }).run("Look.");

    expect((await failed.result).state).toBe("step_limit_reached");
    expect((await idle.result).state).toBe("completed");
    expect((await session.artifacts.list()).map(({ name }) => name)).toEqual([`diffs/${failed.taskId}.diff`]);
  });

  test("a task that is taken up has one diff, of the whole", async () => {
    const session = await openProject();
    const tasks = new TaskStore(memoryStorage());
    const writes = (name: string): string => block(`open('/workspace/${name}', 'w').write('${name}')`);
    const model = dictated(writes("one.txt"), writes("two.txt"), block("final_answer('both')"));
    const first = codingAgent({ session, tasks, model, maxSteps: 1 }).run("Write.");
    await first.result;

    const taken = codingAgent({ session, tasks, model }).takeUp(await tasks.load(first.taskId));

    expect((await taken.result).output).toBe("both");
    const changes = await session.workspace.changes(first.taskId);
    expect((await changes?.files())?.map(({ path }) => path)).toEqual(["one.txt", "two.txt"]);
    expect(await session.artifacts.load(`diffs/${first.taskId}.diff`)).toContain("+one.txt");
    const { events } = await tasks.load(first.taskId);
    expect(events.filter(({ type }) => type === "artifact")).toHaveLength(2);
  });

  test("a patch that a person refuses is not applied, and the model is told why", async () => {
    const asked: string[] = [];
    const session = await openProject({
      approvals: {},
      onApproval: ({ name }) => {
        asked.push(name);
        return Promise.resolve({ decision: "deny", reason: "not now" });
      },
    });
    const before = await readTree(session.workspace);
    const patches = JSON.stringify({ tool: "apply_patch", arguments: { input: PATCH } });
    const replies = [patches, JSON.stringify({ answer: "I may not." })];

    const run = codingAgent({ session, model: dictated(...replies), kind: "react" }).run("Mend it.");

    expect((await run.result).output).toBe("I may not.");
    expect(asked).toEqual(["tools.apply_patch"]);
    expect(observationsOf(run).join("\n")).toContain("not now");
    expect([await readTree(session.workspace), await session.artifacts.list()]).toEqual([before, []]);
  });

  test.each([
    ["native", true],
    ["validated", true],
    ["validated", false],
  ] as const)("a JSON agent (%s) is shown pictures where its model sees (%s)", async (toolCallingMode, sees) => {
    const session = await openProject();
    await session.workspace.write("plot.png", PNG);
    const given = { path: "/workspace/plot.png" };
    const native = { calls: [{ id: "a", name: "view_image", arguments: JSON.stringify(given) }] };
    const replies =
      toolCallingMode === "native"
        ? [native, "Seen."]
        : [JSON.stringify({ tool: "view_image", arguments: given }), JSON.stringify({ answer: "Seen." })];
    const model = dictated(...replies);
    const seeing: Model = {
      name: model.name,
      kind: model.kind,
      sees,
      complete: (...asked) => model.complete(...asked),
    };

    const run = codingAgent({ session, model: seeing, kind: "react", toolCallingMode }).run("Look.");

    expect((await run.result).output).toBe("Seen.");
    const told = run.conversation.flatMap((item) => (item.kind === "step" ? item.told : []));
    const pictures = told.flatMap(({ content }) =>
      typeof content === "string" ? [] : content.filter(({ type }) => type === "image"),
    );
    expect(pictures).toEqual(sees ? [expect.objectContaining({ mime: "image/png", data: PNG })] : []);
    expect(observationsOf(run)[0]).toContain(sees ? "attached local image path" : "unable to attach image");
  });

  test.each([
    ["code", "- Look first: tools.list_dir"],
    ["react", "- Look first: list_dir"],
  ] as const)("is told how to work on code, as a %s agent, before what else it is told", async (kind, rule) => {
    const session = await openProject();
    const asked: string[] = [];
    const dictatedModel = dictated(kind === "code" ? block("final_answer(1)") : JSON.stringify({ answer: "1" }));
    const model: Model = {
      name: dictatedModel.name,
      kind: dictatedModel.kind,
      complete: (request, options) => {
        asked.push(...request.messages.flatMap(({ role, content }) => (role === "system" ? [content] : [])));
        return dictatedModel.complete(request, options);
      },
    };
    const systemSuffix = "Write short names.";
    const agent =
      kind === "code"
        ? codingAgent({ session, model, systemSuffix })
        : codingAgent({ session, model, kind, systemSuffix });
    await agent.run("Look.").result;

    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(rule);
    expect(asked[0]).toContain("@@ def function():\n");
    expect(asked[0]?.endsWith(systemSuffix)).toBe(true);
  });

  test("a diff that the session has no room for costs a notice, and not the answer", async () => {
    const session = await openProject({ limits: { artifactsSize: 100 } });
    const run = codingAgent({ session, model: dictated(...codeReplies) }).run("Mend it.");

    expect((await run.result).state).toBe("completed");
    const notices = run.events.flatMap((event) => (event.type === "notice" ? [event.notice] : []));
    expect(notices).toMatchObject([{ code: "ARTIFACT_NOT_SAVED" }]);
    await (await session.workspace.changes(run.taskId))?.undo();
    expect(await readTree(session.workspace)).toEqual(ledger.files);
  });

  test("its tools are listed in its own tasks alone", async () => {
    const session = await openProject();
    const run = codingAgent({
      session,
      model: dictated(block("final_answer(sorted(t.name for t in tools.list()))")),
    }).run("List.");

    expect((await run.result).answer?.value).toEqual([
      "apply_patch",
      "grep_files",
      "list_dir",
      "read_file",
      "run_tests",
      "shell",
      "shell_command",
      "update_plan",
      "view_image",
    ]);
    expect(session.tools.list()).toEqual([]);
    expect((await session.run("[t.name for t in tools.list()]")).value).toEqual([]);
  });
});

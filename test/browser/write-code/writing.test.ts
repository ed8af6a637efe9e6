import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { ApprovalAnswer, ApprovalRequest } from "../../../src/dispatch/index.js";
import { openCodingSession } from "../../../src/coding/coding-session.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { indexedDBStorage, memoryStorage, StorageFullError, type StorageBackend } from "../../../src/storage/index.js";
import { functionTool, type FileDecision } from "../../../src/tools/index.js";
import { Workspace } from "../../../src/workspace/index.js";
import { freshName } from "../storage/fresh-name.js";
import { writing, WritingTool } from "./writing-tool.js";

/** The workspace as another tab has it, with a connection of its own. */
let otherTab: Workspace;
let storage: StorageBackend;
let tool: WritingTool;
const opened: Session[] = [];

beforeEach(() => {
  const name = freshName();
  storage = indexedDBStorage(name);
  otherTab = new Workspace(indexedDBStorage(name));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  tool = new WritingTool(() => session);
  const session = await Session.open({ storage, trust: "local", tools: [tool.adapter], ...options });
  opened.push(session);
  return session;
}

/** Says this about every file, unless another decision is named for it; keeps what was asked. */
function person(decisions: Readonly<Record<string, FileDecision>> = {}, answer: Partial<ApprovalAnswer> = {}) {
  const asked: ApprovalRequest[] = [];
  const onApproval = (request: ApprovalRequest): ApprovalAnswer => {
    asked.push(request);
    const named = (request.files ?? []).flatMap(({ path, conflict }) => {
      const decision = decisions[path];
      const isAboutConflict = decision !== undefined && ["keep", "overwrite", "merge"].includes(decision);
      return decision === undefined || isAboutConflict !== (conflict !== undefined) ? [] : [[path, decision] as const];
    });
    return { decision: "allow", files: Object.fromEntries(named), ...answer };
  };
  return { asked, onApproval };
}

async function tree(): Promise<Record<string, string>> {
  const files = await otherTab.list();
  const contents = await Promise.all(files.map(({ path }) => otherTab.read(path)));
  return Object.fromEntries(files.map(({ path }, index) => [path, new TextDecoder().decode(contents[index])]));
}

const outcome = (path: string) => tool.written?.outcomes.get(path);

describe("a batch", () => {
  test("is shown before it is written, and written as one, with folders that were not there (W17, W18, W19)", async () => {
    const { asked, onApproval } = person();
    const session = await open({ onApproval });
    await otherTab.write("old.py", "1\n");
    let before: unknown;
    tool.meanwhile = async () => {
      before = await tree();
    };

    const { value } = await session.run(writing({ "old.py": "2\n", "a/b/c.py": "new\n" }));

    expect(value).toEqual({ "old.py": "written", "a/b/c.py": "written" });
    expect(before).toEqual({ "old.py": "1\n" });
    expect(asked[0]?.files).toEqual(tool.proposed[0]);
    expect(asked[0]?.files).toMatchObject([
      { path: "old.py", operation: "modify", difference: "@@ -1,1 +1,1 @@\n-1\n+2" },
      { path: "a/b/c.py", operation: "create" },
    ]);
    expect(await tree()).toEqual({ "old.py": "2\n", "a/b/c.py": "new\n" });
    const { version } = await otherTab.readVersion("old.py");
    expect(outcome("old.py")).toMatchObject({ operation: "modify", version });
    expect(outcome("a/b/c.py")).toMatchObject({ operation: "create" });
    expect(tool.written?.changes).toBe("batch-1");
  });

  test("holds images as bytes", async () => {
    const session = await open({ onApproval: person().onApproval });

    const { error } = await session.run("tools.write_files(files={'logo.png': b'\\x00\\xff'}, batch='b')");

    expect(error).toBeNull();
    expect(await otherTab.read("logo.png")).toEqual(new Uint8Array([0, 255]));
    expect(tool.proposed[0]).toMatchObject([{ path: "logo.png", after: null, difference: "" }]);
  });

  test("is there for the code that waits, which finds its own files, too (W18)", async () => {
    const session = await open({ onApproval: person().onApproval });

    const { value, error } = await session.run(
      [
        "open('own.py', 'w').write('mine')",
        writing({ "own.py": "theirs", "new.py": "new" }),
        "[open('own.py').read(), open('new.py').read()]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual(["theirs", "new"]);
    expect(tool.proposed[0]).toMatchObject([{ before: "mine" }, { before: null }]);
  });

  test("is written without the files that a person refused, which say so (W38)", async () => {
    const { onApproval } = person({ "b.py": "refuse" }, { reason: "b is fine as it is" });
    const session = await open({ onApproval });
    await otherTab.write("b.py", "old");

    const { value } = await session.run(writing({ "a.py": "1", "b.py": "2", "c.py": "3" }));

    expect(value).toEqual({ "a.py": "written", "b.py": "refused", "c.py": "written" });
    expect(outcome("b.py")).toMatchObject({ fault: { code: "REFUSED" } });
    expect(outcome("b.py")).toHaveProperty("fault.message", "b.py was not written: b is fine as it is.");
    expect(await tree()).toEqual({ "a.py": "1", "b.py": "old", "c.py": "3" });
  });

  test("that a person refuses leaves everything as it was, and nothing to undo", async () => {
    const session = await open({ onApproval: () => ({ decision: "deny", reason: "not today" }) });

    const { value } = await session.run(writing({ "a.py": "1" }));

    expect(value).toEqual({ "a.py": "refused" });
    expect(await tree()).toEqual({});
    expect(tool.written?.changes).toBeNull();
    expect(await otherTab.changesKept()).toEqual([]);
  });

  test("is decided about by the session's rules where they decide", async () => {
    const rules = { "tools.write_files": "allow" } as const;
    const session = await open({ approvals: rules });

    const { value } = await session.run(writing({ "a.py": "1" }));

    expect(value).toEqual({ "a.py": "written" });
  });

  test("is not begun where a person has to be asked and there is none", async () => {
    const session = await open();

    const { error } = await session.run(writing({ "a.py": "1" }));

    expect(error?.pythonType).toBe("ToolNotAllowedError");
    expect(tool.proposed).toEqual([]);
  });

  test("that was stopped before it is written leaves no part of it (W78)", async () => {
    const asking = Promise.withResolvers<undefined>();
    const session = await open({
      onApproval: () => {
        asking.resolve(undefined);
        return new Promise(() => undefined);
      },
    });
    await otherTab.write("a.py", "old");

    const run = session.run(writing({ "a.py": "1", "b.py": "2" }));
    await asking.promise;
    session.interrupt();

    expect((await run).error?.pythonType).toBe("RunInterruptedError");
    await expect.poll(() => tool.written).toBeDefined();
    expect(outcome("a.py")).toMatchObject({ kind: "failed", fault: { code: "CANCELLED" } });
    expect(outcome("b.py")).toMatchObject({ kind: "failed", fault: { code: "CANCELLED" } });
    expect(await tree()).toEqual({ "a.py": "old" });
  });
});

describe("a file that another tab changed meanwhile", () => {
  async function contested(options: Partial<SessionOptions>): Promise<Session> {
    const session = await open(options);
    await otherTab.write("a.py", "old\n");
    tool.meanwhile = () => otherTab.write("a.py", "theirs\n");
    return session;
  }
  const batch = writing({ "a.py": "ours\n", "b.py": "new\n" });

  test("is shown with what is there, and kept as it is where that is said (W76)", async () => {
    const { asked, onApproval } = person({ "a.py": "keep" });
    const session = await contested({ onApproval });

    const { value } = await session.run(batch);

    expect(asked[0]?.files?.[0]).toMatchObject({ path: "a.py", conflict: { theirs: "theirs\n" }, after: "ours\n" });
    expect(value).toEqual({ "a.py": "conflict", "b.py": "written" });
    expect(outcome("a.py")).toMatchObject({ fault: { code: "CONFLICT" } });
    expect(await tree()).toEqual({ "a.py": "theirs\n", "b.py": "new\n" });
  });

  test("is written over where that is said, and can be had back (W76)", async () => {
    const session = await contested({ onApproval: person({ "a.py": "overwrite" }).onApproval });

    await session.run(batch);
    expect(await tree()).toEqual({ "a.py": "ours\n", "b.py": "new\n" });

    await (await otherTab.changes("batch-1"))?.undo();
    expect(await tree()).toEqual({ "a.py": "theirs\n" });
  });

  test("is brought together once by the model, and asked about again (W76)", async () => {
    const { asked, onApproval } = person({ "a.py": "merge" });
    const session = await contested({ onApproval });
    tool.merge = (_, { theirs, ours }) =>
      Promise.resolve({ kind: "text", text: `${theirs ?? ""}${ours}`, notes: ["Two versions were brought together."] });

    const { value } = await session.run(batch);

    expect(value).toEqual({ "a.py": "written", "b.py": "written" });
    expect(asked).toHaveLength(2);
    expect(asked[1]?.files).toMatchObject([
      { path: "a.py", before: "theirs\n", after: "theirs\nours\n", notes: ["Two versions were brought together."] },
    ]);
    expect(asked[1]?.files?.[0]).not.toHaveProperty("conflict");
    expect(outcome("a.py")).toMatchObject({ content: { text: "theirs\nours\n" } });
    expect(await tree()).toEqual({ "a.py": "theirs\nours\n", "b.py": "new\n" });
  });

  test("is left alone when it is changed once more while the model brings it together (W76)", async () => {
    const session = await contested({ onApproval: person({ "a.py": "merge" }).onApproval });
    tool.merge = async () => {
      await otherTab.write("a.py", "theirs again\n");
      return { kind: "text", text: "merged\n", notes: [] };
    };

    const { value } = await session.run(batch);

    expect(value).toEqual({ "a.py": "conflict", "b.py": "written" });
    expect(await tree()).toEqual({ "a.py": "theirs again\n", "b.py": "new\n" });
  });

  test("is reported as it went where the model could not bring it together", async () => {
    const session = await contested({ onApproval: person({ "a.py": "merge" }).onApproval });
    const fault = { code: "GENERATION_FAILED", message: "No model came to a text." } as const;
    tool.merge = () => Promise.resolve({ kind: "failed", fault });

    await session.run(batch);

    expect(outcome("a.py")).toEqual({ kind: "failed", fault });
    expect(await tree()).toEqual({ "a.py": "theirs\n", "b.py": "new\n" });
  });

  test("is kept and reported where there is nobody to ask (W76)", async () => {
    const session = await contested({ approvals: { "tools.write_files": "allow" } });

    const { value } = await session.run(batch);

    expect(value).toEqual({ "a.py": "conflict", "b.py": "written" });
    expect(outcome("a.py")).toHaveProperty("fault.message", expect.stringContaining("changed meanwhile"));
    expect(await tree()).toEqual({ "a.py": "theirs\n", "b.py": "new\n" });
  });

  test("is no conflict where it holds the same as before (W89)", async () => {
    const { asked, onApproval } = person();
    const session = await contested({ onApproval });
    tool.meanwhile = () => otherTab.write("a.py", "old\n");

    const { value } = await session.run(batch);

    expect(asked[0]?.files?.[0]).not.toHaveProperty("conflict");
    expect(value).toEqual({ "a.py": "written", "b.py": "written" });
  });

  test("while the person was asked is left out, and the others are written (W42, W76)", async () => {
    const session = await open({
      onApproval: async () => {
        await otherTab.write("a.py", "faster\n");
        return { decision: "allow" };
      },
    });

    const { value } = await session.run(batch);

    expect(value).toEqual({ "a.py": "conflict", "b.py": "written" });
    expect(await tree()).toEqual({ "a.py": "faster\n", "b.py": "new\n" });
    expect(await (await otherTab.changes("batch-1"))?.files()).toEqual([{ path: "b.py", kind: "added" }]);
  });

  test("by code of the same session that went on meanwhile is a conflict, too (W76)", async () => {
    const { asked, onApproval } = person({ "a.py": "keep" });
    const session = await open({ onApproval });
    const code = [
      "import asyncio",
      "open('a.py', 'w').write('first')",
      "writing = asyncio.ensure_future(tools.write_files.call_async(files={'a.py': 'ours'}, batch='b'))",
      "await tools.begun.call_async()",
      "open('a.py', 'w').write('second')",
      "await asyncio.sleep(0)",
      "result = await writing",
      "[result, open('a.py').read()]",
    ].join("\n");
    const begun = Promise.withResolvers<null>();
    const input = { type: "object" } as const;
    session.tools.register(functionTool({ name: "begun", description: "", input, run: () => begun.promise }));
    tool.meanwhile = () => {
      begun.resolve(null);
      // The code is to wait for the call again when the file is looked at next.
      return new Promise((resolve) => setTimeout(resolve, 1500));
    };

    const { value, error } = await session.run(code);

    expect(error).toBeNull();
    expect(asked[0]?.files?.[0]).toMatchObject({ conflict: { theirs: "second" } });
    expect(value).toEqual([{ "a.py": "conflict" }, "second"]);
  });
});

describe("a file that cannot be written", () => {
  test.each([
    ["leads out of the workspace", "../out.py"],
    ["would be a folder and a file", "plain/inner.py"],
  ])("because its path %s is left out and named, the others are written (W42)", async (_, path) => {
    const session = await open({ onApproval: person().onApproval });
    await otherTab.write("plain", "a file");

    const { value } = await session.run(writing({ "ok.py": "1", [path]: "2" }));

    expect(value).toEqual({ "ok.py": "written", [path]: "failed" });
    expect(outcome(path)).toMatchObject({ fault: { code: "WRITE_FAILED" } });
    expect(outcome(path)).toHaveProperty("fault.message", expect.stringContaining(`Error writing file ${path}: `));
    expect(await tree()).toEqual({ plain: "a file", "ok.py": "1" });
  });

  test("because the store is full is named like all others, none of which is written (W42)", async () => {
    const session = await open({ onApproval: person().onApproval, storage: fullWhenFilesAreWritten(storage) });
    await otherTab.write("a.py", "old");

    const { value } = await session.run(writing({ "a.py": "1", "b.py": "2" }));

    expect(value).toEqual({ "a.py": "failed", "b.py": "failed" });
    expect(outcome("b.py")).toHaveProperty(
      "fault.message",
      expect.stringMatching(/^Error writing file b\.py: .*100 bytes/),
    );
    expect(await tree()).toEqual({ "a.py": "old" });
    expect(tool.written?.changes).toBeNull();
    expect(await otherTab.changesKept()).toEqual([]);
  });
});

/** A database that has no room for another file. */
function fullWhenFilesAreWritten(inner: StorageBackend): StorageBackend {
  return {
    get: (key) => inner.get(key),
    keys: (prefix) => inner.keys(prefix),
    close: () => {
      inner.close();
    },
    write: (entries, options) => {
      const isFull = [...entries.keys()].some((key) => key.startsWith("workspace/data/"));
      return isFull ? Promise.reject(new StorageFullError(100)) : inner.write(entries, options);
    },
  };
}

describe("a batch of a session inside another one", () => {
  test("of a coding agent is in the task's difference, and is undone by itself", async () => {
    const session = await open({ onApproval: person().onApproval });
    await otherTab.write("a.py", "old");
    const task = await openCodingSession(session, { taskId: "task", trust: "local", kind: "code" });
    const client = task.client({ caller: "agent" });
    await client.callTool("write_files", { files: { "own.py": "by itself" }, batch: "batch-0" });
    const value = await client.callTool("write_files", { files: { "a.py": "1", "b.py": "2" }, batch: "batch-1" });
    const artifacts = await task.finish();
    await task.close();
    expect(value).toEqual({ "a.py": "written", "b.py": "written" });
    expect(artifacts).toEqual(["diffs/task.diff"]);

    const batch = await session.workspace.changes("batch-1");
    await batch?.undo();
    expect(await tree()).toEqual({ "a.py": "old", "own.py": "by itself" });

    // What the task left has been changed since: as for anything else that was.
    const changes = await session.workspace.changes("task");
    await expect(changes?.undo()).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT" });
  });

  test("goes with the task that is undone, and cannot be undone after that", async () => {
    const session = await open({ onApproval: person().onApproval });
    await otherTab.write("a.py", "old");
    const child = await session.openChild({ trust: "local", recordsChanges: "task" });
    await child.run(writing({ "a.py": "1", "b.py": "2" }));
    await child.run(writing({ "a.py": "3" }, "batch-2"));
    await child.close();

    await (await session.workspace.changes("task"))?.undo();

    expect(await tree()).toEqual({ "a.py": "old" });
    const batch = await session.workspace.changes("batch-2");
    await expect(batch?.undo()).rejects.toMatchObject({ code: "WORKSPACE_CONFLICT", path: "a.py" });
  });

  test("is written where that one keeps its files, and is shown to the same person", async () => {
    const { asked, onApproval } = person();
    const session = await open({ onApproval });
    const own = memoryStorage();
    const child = await session.openChild({ trust: "local", storage: own });

    const { value } = await child.run(writing({ "a.py": "1" }));
    await child.close();

    expect(value).toEqual({ "a.py": "written" });
    expect(asked).toHaveLength(1);
    expect(await tree()).toEqual({});
    expect((await new Workspace(own).list()).map(({ path }) => path)).toEqual(["a.py"]);
  });
});

describe("the session of a call", () => {
  test("hands out no file that is kept from it, and writes over none", async () => {
    const sealed = new Workspace(storage);
    await sealed.writeForRun(new Map([["theirs.py", "sealed"]]), { trust: "sandboxed", ifVersion: new Map() });
    await otherTab.write("mine.py", "1");
    const session = await open({ approvals: { "tools.write_files": "allow" } });
    let paths: readonly string[] = [];
    tool.meanwhile = async ({ callId }) => {
      paths = await session.writingSessionOf(callId).files.paths();
    };

    const { value } = await session.run(writing({ "theirs.py": "ours" }));

    expect(paths).toEqual(["mine.py"]);
    expect(value).toEqual({ "theirs.py": "conflict" });
    expect(await tree()).toEqual({ "mine.py": "1", "theirs.py": "sealed" });
  });

  test("has its storage, and is gone with the call", async () => {
    const session = await open({ approvals: { "tools.write_files": "allow" } });
    const found: StorageBackend[] = [];
    let call = "";
    tool.meanwhile = ({ callId }) => {
      call = callId;
      found.push(session.writingSessionOf(callId).storage);
      return Promise.resolve();
    };

    await session.run(writing({ "a.py": "1" }));

    expect(found).toEqual([storage]);
    expect(() => session.writingSessionOf(call)).toThrow(expect.objectContaining({ code: "CALL_ENDED" }));
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { CallProgress, Session, Value } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0);

test("without `fileTools` they are not among the session's tools", async () => {
  const session = await openSession();

  expect(session.tools.list()).toEqual([]);
  const { value } = await session.run("[tool.name for tool in tools.list()]");
  expect(value).toEqual([]);
  await session.close();
});

test("a tool of the session that has the name of a file tool goes before it", async () => {
  const yaml = "name: read_file\ncommand: cat\nrecipes: { read_file: {} }\nschema: {}\n";
  const session = await openSession({ fileTools: true, seeds: [{ file: "tools/read_file.yaml", text: yaml }] });

  expect(session.tools.problems()).toEqual([]);
  expect(session.tools.get("read_file")?.description).not.toContain("line");
  await session.close();
});

describe.each(hosts)("file tools at the $host host", ({ trust }) => {
  let session: Session;
  const call = (name: string, args: Record<string, Value>): Promise<Value> => session.client().callTool(name, args);

  beforeAll(async () => {
    session = await openSession({ trust, fileTools: true, approvals: { tools: "allow" } });
  });
  beforeEach(async () => {
    for (const { path } of await session.workspace.list()) await session.workspace.delete(path);
    await session.run("import os, shutil\nfor name in os.listdir(): shutil.rmtree(name, ignore_errors=True)");
  });
  afterAll(async () => {
    await session.close();
  });

  test("read, list and search what the code that calls has written a moment before", async () => {
    const { value, error } = await session.run(
      [
        "os.makedirs('src', exist_ok=True)",
        "open('src/fresh.py', 'w').write('a\\nneedle\\nc')",
        "[tools.read_file(file_path='/workspace/src/fresh.py', offset=2), tools.list_dir(dir_path='/workspace'), tools.grep_files(pattern='ne+dle$')]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual([
      "L2: needle\nL3: c",
      "Absolute path: /workspace\nsrc/\n  fresh.py",
      "/workspace/src/fresh.py",
    ]);
  });

  test("let the code find what a command has written, when its call returns", async () => {
    const { value, error } = await session.run(
      [
        "open('in.txt', 'w').write('b\\na\\n')",
        "result = tools.shell(command=['bash', '-lc', 'sort in.txt > out.txt; echo done; echo no >&2'])",
        "[result, open('out.txt').read()]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    const metadata = { exit_code: 0, duration_seconds: expect.any(Number) };
    expect(value).toEqual([{ output: "done\nno\n", metadata }, "a\nb\n"]);
    expect(await call("read_file", { file_path: "/workspace/out.txt" })).toBe("L1: a\nL2: b");
  });

  test("answer a client as they answer code", async () => {
    await session.workspace.write("page.txt", "from the page");

    expect(await call("read_file", { file_path: "/workspace/page.txt" })).toBe("L1: from the page");
    expect(await call("grep_files", { pattern: "page" })).toBe("/workspace/page.txt");
    expect(await call("shell_command", { command: "cat page.txt" })).toMatch(
      /^Exit code: 0\nWall time: [\d.]+ seconds\nOutput:\nfrom the page$/,
    );
    // And the code that runs next has what the client's command wrote.
    await call("shell_command", { command: "mkdir -p made && echo x > made/by-client.txt" });
    expect((await session.run("open('made/by-client.txt').read()")).value).toBe("x\n");
  });

  test("a link of the code to the folder above is marked and not followed, and an empty folder is listed (X72)", async () => {
    const { value } = await session.run(
      [
        "os.makedirs('linked/empty'); open('linked/a.txt', 'w').write('a'); os.symlink('..', 'linked/up')",
        "listed = tools.list_dir(dir_path='/workspace/linked', depth=9)",
        "os.remove('linked/up'); os.rmdir('linked/empty')",
        "listed",
      ].join("\n"),
    );

    expect(value).toBe("Absolute path: /workspace/linked\na.txt\nempty/\nup@");
  });

  test("a folder that cannot be read is noted in its line, and its files are kept (X73)", async () => {
    const { value } = await session.run(
      [
        "os.makedirs('closed'); open('closed/a.txt', 'w').write('a'); tools.list_dir(dir_path='/workspace')",
        "os.chmod('closed', 0)",
        "listed = tools.list_dir(dir_path='/workspace')",
        "os.chmod('closed', 0o777)",
        "listed",
      ].join("\n"),
    );

    expect(value).toContain("\nclosed/ (cannot be read: Permission denied (os error 13))\n  a.txt");
    expect(await call("read_file", { file_path: "/workspace/closed/a.txt" })).toBe("L1: a");
  });

  test("a command that ends with 3 answers with its output and that code (X57)", async () => {
    const command = ["bash", "-c", "echo bad; exit 3"];

    expect(await call("shell", { command })).toMatchObject({ output: "bad\n", metadata: { exit_code: 3 } });
    expect(await call("shell_command", { command: "exit 3" })).toMatch(/^Exit code: 3\n/);
  });

  test("a command that outlives its time has the code 124, and says so first (X58)", async () => {
    const command = ["bash", "-c", "while true; do :; done"];

    expect(await call("shell", { command, timeout_ms: 100 })).toMatchObject({
      output: expect.stringMatching(/^command timed out after 100 milliseconds\n/),
      metadata: { exit_code: 124 },
    });
    expect(await call("shell_command", { command: "sleep 60", timeout_ms: 100 })).toMatch(
      /^Exit code: 124\n[^]*Output:\ncommand timed out after 100 milliseconds/,
    );
  });

  test("a command runs in the folder that is named, and one that there is not has a code", async () => {
    await session.workspace.write("sub/a.txt", "a");

    expect(await call("shell", { command: ["ls"], workdir: "sub" })).toMatchObject({ output: "a.txt\n" });
    expect(await call("shell", { command: ["ls"], workdir: "/workspace/none" })).toMatchObject({
      output: expect.stringContaining("No such file or directory"),
      metadata: { exit_code: 1 },
    });
    expect(await call("shell", { command: ["cargo", "test"] })).toMatchObject({
      output: "cargo: command not found\n",
      metadata: { exit_code: 127 },
    });
    await expect(call("shell", { command: ["ls"], workdir: "/etc" })).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
  });

  test("a picture is shown with the output of the code; what is missing or a folder is said (X76)", async () => {
    await session.workspace.write("plots/a.png", PNG);

    const { value, outputs, error } = await session.run("tools.view_image(path='/workspace/plots/a.png')");

    expect(error).toBeNull();
    expect(value).toBe("attached local image path");
    expect(outputs).toEqual([{ kind: "display", source: "display", data: { "image/png": PNG } }]);
    await expect(call("view_image", { path: "/workspace/none.png" })).rejects.toThrow(
      "unable to locate image at `/workspace/none.png`: No such file or directory",
    );
    await expect(call("view_image", { path: "/workspace/plots" })).rejects.toThrow(
      "image path `/workspace/plots` is not a file",
    );
    await expect(call("view_image", { path: "/workspace/plots/a.png" })).rejects.toThrow(
      "unable to attach image (no active task)",
    );
  });

  test("a picture is known by what it begins with, and one that can hold a script is none", async () => {
    await session.workspace.write("a.png", "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>");

    await expect(call("view_image", { path: "a.png" })).rejects.toThrow("is no PNG, JPEG, GIF or WebP picture");
  });

  test("a plan is told to the page; two steps in progress, and what is no plan, are refused (X77)", async () => {
    const heard: CallProgress[] = [];
    const stop = session.onCallProgress((progress) => heard.push(progress));
    const step = (name: string, status: string): Record<string, string> => ({ step: name, status });
    const plan = [step("read", "completed"), step("write", "in_progress"), step("test", "pending")];

    expect(await call("update_plan", { plan, explanation: "first" })).toBe("Plan updated");

    stop();
    expect(heard).toMatchObject([{ progress: 1, total: 3, message: "write", piece: { plan, explanation: "first" } }]);
    const two = [step("a", "in_progress"), step("b", "in_progress")];
    await expect(call("update_plan", { plan: two })).rejects.toThrow("one step at most can be in_progress");
    await expect(call("update_plan", { plan: [step("a", "done")] })).rejects.toMatchObject({ code: "TOOL_ARGUMENT" });
    await expect(call("update_plan", { plan: [], mood: "good" })).rejects.toThrow("Unknown parameter 'mood'");
    const extra = [{ ...step("a", "pending"), tool: "x" }];
    await expect(call("update_plan", { plan: extra })).rejects.toMatchObject({ code: "TOOL_ARGUMENT" });
  });
});

test("in a session inside another one they see what its own code has written", async () => {
  const session = await openSession({ fileTools: true, approvals: { tools: "allow" } });
  const child = await session.openChild();

  const { value, error } = await child.run(
    [
      "open('inner.txt', 'w').write('from inside')",
      "tools.shell(command=['cp', 'inner.txt', 'copy.txt'])",
      "[tools.read_file(file_path='/workspace/inner.txt'), tools.grep_files(pattern='inside'), open('copy.txt').read()]",
    ].join("\n"),
  );

  expect(error).toBeNull();
  expect(value).toEqual([
    "L1: from inside",
    expect.stringMatching(/^(?:\/workspace\/(?:copy|inner)\.txt\n?){2}$/),
    "from inside",
  ]);
  await session.close();
});

import { afterEach, describe, expect, test } from "vitest";

import { memoryStorage, type Session, type StorageBackend, type Value } from "../../../src/index.js";
import { Workspace } from "../../../src/workspace/index.js";
import { hosts, openSession } from "../session/hosts.js";

const PATCH = ["*** Begin Patch", "*** Update File: src/a.py", "@@", "-old", "+new", "*** Add File: src/b.py", "+b"];
const INPUT = [...PATCH, "*** End Patch"].join("\n");

let session: Session;

afterEach(async () => {
  await session.close();
});

async function open(options: Parameters<typeof openSession>[0] = {}): Promise<void> {
  session = await openSession({ trust: "local", fileTools: true, approvals: { tools: "allow" }, ...options });
}

const call = (name: string, args: Record<string, Value>): Promise<Value> => session.client().callTool(name, args);
const textOf = async (path: string): Promise<string> => new TextDecoder().decode(await session.workspace.read(path));
const answered = (output: string): Value => ({
  output,
  metadata: { exit_code: 0, duration_seconds: expect.any(Number) as number },
});

describe.each(hosts)("apply_patch at the $host host", ({ trust }) => {
  test("changes what the code has written a moment before, and the code finds it changed", async () => {
    await open({ trust });

    const { value, error } = await session.run(
      [
        "import os",
        "os.makedirs('src', exist_ok=True)",
        "open('src/a.py', 'w', newline='').write('old\\r\\n')",
        `answer = tools.apply_patch(input=${JSON.stringify(INPUT)})`,
        "[answer, open('src/a.py', newline='').read(), open('src/b.py').read()]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual([
      answered("Success. Updated the following files:\nA src/b.py\nM src/a.py\n"),
      "new\r\n",
      "b\n",
    ]);
    expect(await session.workspace.list()).toMatchObject([
      { path: "src/a.py", trust },
      { path: "src/b.py", trust },
    ]);
  });
});

test("paths of a patch begin in the current folder of a script, and nothing is written outside of /workspace (X31)", async () => {
  await open();
  const patch = (path: string): string =>
    JSON.stringify(["*** Begin Patch", `*** Add File: ${path}`, "+text", "*** End Patch"].join("\n"));

  const { value, error } = await session.run(
    [
      "import codex_tools, os",
      "os.makedirs('sub')",
      "os.chdir('sub')",
      `codex_tools.apply_patch(${patch("a.txt")})`,
      `codex_tools.apply_patch(${patch("/workspace/b.txt")})`,
      `codex_tools.apply_patch(input=${patch("c.txt")}, workdir='..')`,
      "try:",
      `    codex_tools.apply_patch(${patch("../../d.txt")})`,
      "except ToolError as error:",
      "    refused = [error.tool, error.message]",
      "[open('a.txt').read(), refused]",
    ].join("\n"),
  );

  expect(error).toBeNull();
  expect(value).toEqual([
    "text\n",
    ["apply_patch", expect.stringContaining("patch rejected: writing outside of the project") as string],
  ]);
  expect((await session.workspace.list()).map(({ path }) => path)).toEqual(["b.txt", "c.txt", "sub/a.txt"]);
});

test("a patch that fails changes nothing, in the interpreter neither, and code can say why", async () => {
  await open();

  const { value, error } = await session.run(
    [
      "import os",
      "os.makedirs('src', exist_ok=True)",
      "open('src/a.py', 'w').write('other\\n')",
      "try:",
      `    tools.apply_patch(input=${JSON.stringify(INPUT)})`,
      "except ToolError as error:",
      "    text = str(error)",
      "[text, open('src/a.py').read(), os.path.exists('src/b.py')]",
    ].join("\n"),
  );

  expect(error).toBeNull();
  expect(value).toEqual([
    expect.stringContaining(
      "apply_patch verification failed: Failed to find expected lines in src/a.py:\nold",
    ) as string,
    "other\n",
    false,
  ]);
});

test("a file that another tab changes meanwhile stays as that tab left it, and both versions are said", async () => {
  const storage = memoryStorage();
  const otherTab = new Workspace(storage);
  let theirs = "";
  const meanwhile: StorageBackend = {
    get: (key) => storage.get(key),
    keys: (prefix) => storage.keys(prefix),
    close: () => undefined,
    write: async (entries, options) => {
      // Just before the patch is written, when everything was looked at.
      if (entries.has("workspace/data/src/b.py")) theirs = (await otherTab.write("src/a.py", "theirs\n")).version;
      await storage.write(entries, options);
    },
  };
  await open({ storage: meanwhile });
  const { version } = await session.workspace.write("src/a.py", "old\n");

  const failed = call("apply_patch", { input: INPUT });

  await expect(failed).rejects.toMatchObject({
    code: "TOOL_CALL",
    cause: { code: "PATCH_CONFLICT", path: "src/a.py", expected: version },
  });
  await expect(failed).rejects.toThrow(`it was in version ${version}, and now it is in version ${theirs}`);
  expect(await textOf("src/a.py")).toBe("theirs\n");
  expect((await session.workspace.list()).map(({ path }) => path)).toEqual(["src/a.py"]);
});

test("a command of the shell that is a patch is applied in its folder, and others are run (X109)", async () => {
  await open();
  await session.workspace.write("src/a.py", "old\n");
  const patch = (path: string, from: string, to: string): string =>
    `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch`;
  const heredoc = (text: string): string => `apply_patch <<'EOF'\n${text}\nEOF`;
  const modified = answered("Success. Updated the following files:\nM a.py\n");

  const inFolder = ["bash", "-lc", `cd src && ${heredoc(patch("a.py", "old", "1"))}`];
  expect(await call("shell", { command: inFolder })).toEqual(modified);
  const inWorkdir = ["apply_patch", patch("a.py", "1", "2")];
  expect(await call("shell", { command: inWorkdir, workdir: "/workspace/src" })).toEqual(modified);
  expect(await call("shell_command", { command: heredoc(patch("src/a.py", "2", "3")) })).toMatch(
    /^Exit code: 0\nWall time: [\d.]+ seconds\nOutput:\nSuccess\. Updated the following files:\nM src\/a\.py\n$/,
  );
  expect(await textOf("src/a.py")).toBe("3\n");

  const more = ["bash", "-lc", `${heredoc(patch("src/a.py", "3", "4"))}\necho done`];
  expect(await call("shell", { command: more })).toMatchObject({ output: expect.stringContaining("done") });
  expect(await textOf("src/a.py")).toBe("3\n");
});

test("a bare patch in the place of a command is not run (X110)", async () => {
  await open();
  const text = 'patch detected without explicit call to apply_patch. Rerun as ["apply_patch", "<patch>"]';

  await expect(call("shell", { command: [INPUT] })).rejects.toThrow(text);
  await expect(call("shell_command", { command: INPUT })).rejects.toThrow(text);
  await expect(call("shell", { command: ["apply_patch", "no patch"] })).rejects.toThrow(
    "apply_patch verification failed: invalid patch: The first line of the patch must be '*** Begin Patch'",
  );
});

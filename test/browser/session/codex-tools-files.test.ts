import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { ApprovalRequest, Session, Value } from "../../../src/index.js";
import { openSession } from "./hosts.js";

let session: Session;
let asked: ApprovalRequest[] = [];
let deny = false;

const files: Readonly<Record<string, string>> = {
  "src/main.rs": "fn main() {}\n// TODO: all of it\n",
  "src/lib.rs": "pub fn add() {}\n",
  "src/deep/mod.rs": "// TODO: deep\n",
  "notes.txt": "a\nb\nc\n",
};

beforeAll(async () => {
  session = await openSession({
    approvals: { "tools.shell": "ask" },
    onApproval: (request) => {
      asked.push(request);
      return { decision: deny ? "deny" : "allow" };
    },
  });
  for (const [path, text] of Object.entries(files)) await session.workspace.write(path, new TextEncoder().encode(text));
});

beforeEach(() => {
  asked = [];
  deny = false;
});

afterAll(async () => {
  await session.close();
});

async function value(code: string): Promise<Value> {
  const result = await session.run(code);
  expect(result.error).toBeNull();
  return result.value;
}

/** As models write it, word for word. */
const SCRIPT = [
  "import codex_tools",
  'find_result = codex_tools.shell(command=["find", "src", "-name", "*.rs"])',
  "files = find_result['output'].strip().split('\\n')",
  'print(f"Found {len(files)} files. Analyzing...")',
  "for file_path in files[:5]:",
  "    content = codex_tools.read_file(file_path=file_path)",
  '    if "TODO" in content: print(f"Found TODO in {file_path}")',
].join("\n");

describe("codex_tools with the tools on files", () => {
  test("answers list_dir in the same run (X1)", async () => {
    expect(await value('import codex_tools; codex_tools.list_dir(dir_path="/workspace/src")')).toBe(
      "Absolute path: /workspace/src\ndeep/\n  mod.rs\nlib.rs\nmain.rs",
    );
  });

  test("runs a model's script: one run, a call for each file, only what is printed is shown (X2)", async () => {
    const { stdout, error, calls } = await session.run(SCRIPT);

    expect(error).toBeNull();
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toBe("Found 3 files. Analyzing...");
    expect(lines.slice(1).toSorted()).toEqual(["Found TODO in src/deep/mod.rs", "Found TODO in src/main.rs"]);
    expect(calls.map(({ name }) => name)).toEqual(["shell", "read_file", "read_file", "read_file"]);
  });

  test("answers shell with a dict, always (X3)", async () => {
    expect(await value('import codex_tools\ncodex_tools.shell(command=["echo", "hi"])')).toEqual({
      output: "hi\n",
      metadata: { exit_code: 0, duration_seconds: expect.any(Number) },
    });
    expect(await value('codex_tools.shell(command=["echo", "hi"])["output"]')).toBe("hi\n");
  });

  test("takes relative paths as seen from the current folder; tools and the page do not", async () => {
    expect(
      await value(
        [
          "import codex_tools, os, pathlib",
          "os.chdir('src')",
          "try:",
          "    found = [codex_tools.read_file('lib.rs'), codex_tools.read_file(file_path='../notes.txt', offset=2, limit=1),",
          "             codex_tools.shell(command=['pwd'])['output'], codex_tools.shell(command=['pwd'], workdir='deep')['output'],",
          "             codex_tools.read_file(pathlib.Path('lib.rs')), codex_tools.list_dir('deep'), codex_tools.grep_files('deep')]",
          "finally:",
          "    os.chdir('/workspace')",
          "found",
        ].join("\n"),
      ),
    ).toEqual([
      "L1: pub fn add() {}",
      "L2: b",
      "/workspace/src\n",
      "/workspace/src/deep\n",
      "L1: pub fn add() {}",
      "Absolute path: /workspace/src/deep\nmod.rs",
      expect.stringContaining("deep/mod.rs"),
    ]);

    const listing = await openSession({ fileTools: true, trust: "local" });
    await listing.workspace.write("notes.txt", new TextEncoder().encode("a\n"));
    const through = await listing.run("import codex_tools\ncodex_tools.read_file('notes.txt')");
    const direct = await listing.run("tools.read_file(file_path='notes.txt')");
    await listing.close();

    expect(through.value).toBe("L1: a");
    expect(String(direct.error)).toContain("file_path must be an absolute path");
  });

  test("finds what the run has written, and the run what a command wrote", async () => {
    expect(
      await value(
        [
          "import codex_tools",
          "open('made.txt', 'w').write('made here')",
          "read = codex_tools.read_file('made.txt')",
          "codex_tools.shell(command=['cp', 'made.txt', 'copy.txt'])",
          "[read, open('copy.txt').read()]",
        ].join("\n"),
      ),
    ).toEqual(["L1: made here", "made here"]);
  });

  test("a no to a command is said in the words that models know, and the code may catch it (X32)", async () => {
    deny = true;
    const { value: found, error } = await session.run(
      [
        "import codex_tools",
        "try:",
        "    codex_tools.shell(command=['rm', '-r', 'src'])",
        "except codex_tools.ToolNotAllowedError as raised:",
        "    found = [raised.tool, raised.message]",
        "found",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(found).toEqual(["shell", expect.stringContaining("exec command rejected by user")]);
    expect(asked).toMatchObject([{ name: "tools.shell", arguments: { command: ["rm", "-r", "src"] } }]);
    expect(await session.workspace.read("src/lib.rs")).not.toBeNull();
  });

  test("a scope that leaves out a tool on files leaves it out here", async () => {
    const { value: found } = await session.run(
      "import codex_tools\n[hasattr(codex_tools, 'shell'), 'shell' in dir(codex_tools), hasattr(codex_tools, 'read_file')]",
      { scope: { without: ["shell"] } },
    );

    expect(found).toEqual([false, false, true]);
  });
});

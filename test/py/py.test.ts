import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { readOptions } from "./options.js";

const command = fileURLToPath(new URL("./run.mjs", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function py(args: readonly string[], input = ""): Promise<Ended> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

test("runs files, standard input and code in one session, prints output and values, and fails with the traceback", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-py-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "first.py");
  await writeFile(file, "import sys\nprint('from a file')\nprint('aside', file=sys.stderr)\nkept = 41\nkept");

  const { code, stdout, stderr } = await py(
    [
      "--trust=local",
      file,
      "-",
      "[found.name for found in tools.search('sql')]",
      "open('planets.csv').readline()",
      "def fails():\n    return 1 / 0\nfails()",
      "print('never')",
    ],
    "{'more': kept + 1}",
  );

  const lines = stdout.split("\n");
  expect(lines.slice(0, 3)).toEqual(["from a file", "41", "{'more': 42}"]);
  expect(lines[3]).toContain("sqlite");
  expect(lines[4]).toMatch(/^'# Semi-major axes/);
  expect(lines.slice(5)).toEqual([""]);
  expect(stderr).toContain("aside\n");
  expect(stderr).toMatch(/Traceback[^]*line 2, in fails\n[^]*ZeroDivisionError/);
  expect(code).toBe(1);
});

test("what cannot be run is told with the usage and exit code 2", async () => {
  const { code, stdout, stderr } = await py(["--trsut", "local", "1"]);

  expect(stderr).toContain("--trsut");
  expect(stderr).toContain("npm run py -- [options]");
  expect([code, stdout]).toEqual([2, ""]);
});

test.each([
  ["nothing to run", [], "nothing to run"],
  ["a trust level that there is not", ["--trust", "none", "1"], "sandboxed, isolated, local"],
  ["an engine that there is not", ["--engine", "safari", "1"], "chromium, firefox, webkitgtk"],
  ["a limit that is none", ["--timeout", "soon", "1"], "number of seconds"],
  ["a file that there is not", ["missing.py"], "There is no file missing.py"],
])("%s is named", async (_, args, told) => {
  await expect(readOptions(args)).rejects.toThrow(told);
});

test("code is what is no file, and 0 seconds are no limit", async () => {
  expect(await readOptions(["--timeout=0", "1 + 1", "tools.search('x.py')"])).toEqual({
    pieces: [
      { code: "1 + 1", name: "string" },
      { code: "tools.search('x.py')", name: "string" },
    ],
    trust: "sandboxed",
    engine: "chromium",
    timeout: null,
  });
});

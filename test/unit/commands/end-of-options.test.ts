import { Bash } from "just-bash";
import { describe, expect, test } from "vitest";

import { TAKE_END_OF_OPTIONS, withEndOfOptions } from "../../../src/commands/shell/end-of-options.js";

const call = (command: string, endOfOptionsAt?: number): Parameters<typeof withEndOfOptions>[0] => ({
  command,
  argv: ["-n", "-v", "notes.txt"],
  ...(endOfOptionsAt === undefined ? {} : { endOfOptionsAt }),
  stdin: new Uint8Array(),
  env: new Map(),
  signal: new AbortController().signal,
});

test("`--` is put where it belongs, and only for commands that take it", () => {
  expect(withEndOfOptions(call("grep", 1))).toEqual(["-n", "--", "-v", "notes.txt"]);
  expect(withEndOfOptions(call("sort", 1))).toEqual(["-n", "-v", "notes.txt"]);
  expect(withEndOfOptions(call("grep"))).toEqual(["-n", "-v", "notes.txt"]);
});

describe("commands of the shell that take `--`", () => {
  test.each([...TAKE_END_OF_OPTIONS])("%s does", async (command) => {
    const bash = new Bash({ files: { "/w/-q.gz": "", "/w/g": "one\n" }, cwd: "/w" });

    const { stderr } = await bash.exec(`${command} -- -q.gz g`);

    expect(stderr).not.toMatch(/unrecognized option|invalid option|'--'|: --/);
  });
});

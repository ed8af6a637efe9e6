import { expect, test } from "vitest";

import { keepProgram, type KeptProgram } from "../../../src/codegen/program/keep-program.js";
import { decodeText, memoryStorage } from "../../../src/storage/index.js";
import { Workspace } from "../../../src/workspace/index.js";

const program = (code: string, label = "codegen_python"): KeptProgram => ({ code, label, trust: "sandboxed" });
const path = (number: number, label = "codegen_python") =>
  `codegen/executed_programs/${label}_${String(number)}_main.py`;

test("a program is kept with the level at which it runs, so that a session of another level asks before it gets it", async () => {
  const workspace = new Workspace(memoryStorage());

  expect(await keepProgram(workspace, program("x = 1"))).toEqual([path(0)]);

  expect(await workspace.list()).toMatchObject([{ path: path(0), trust: "sandboxed" }]);
  expect(await workspace.mirror("local", (author) => author === "sandboxed").takeChanges()).toEqual([]);
});

test("programs of calls at once have a file each", async () => {
  const workspace = new Workspace(memoryStorage());
  await workspace.write(path(1), new Uint8Array(1));

  const kept = await Promise.all([
    keepProgram(workspace, program("a")),
    keepProgram(workspace, program("b")),
    keepProgram(workspace, program("c", "execute_code_python")),
  ]);

  expect(kept).toEqual([[path(0)], [path(2)], [path(0, "execute_code_python")]]);
  const texts = await Promise.all(kept.flat().map(async (file) => decodeText(await workspace.read(file))));
  expect(texts).toEqual(["a", "b", "c"]);
});

test("a program that finds no room is not kept, and the next one is", async () => {
  const workspace = new Workspace(memoryStorage(), { maxFileSize: 10 });

  expect(await keepProgram(workspace, program("x".repeat(11)))).toEqual([]);
  expect(await keepProgram(workspace, program("x"))).toEqual([path(0)]);
});

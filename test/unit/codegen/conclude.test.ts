import { describe, expect, test } from "vitest";

import { concludeProgram, type ProgramRemains } from "../../../src/codegen/conclude.js";
import { parseContract } from "../../../src/codegen/contract.js";
import { pathWithin } from "../../../src/codegen/items.js";
import { projectLog } from "../../../src/codegen/project-log.js";
import { ProgramState } from "../../../src/codegen/program-state.js";
import { markPythonType, type Value } from "../../../src/protocol/index.js";
import { RunError } from "../../../src/session/index.js";

const artifact = { type: "inline", value: "x" };
const told = { kind: "progress", content: { artifacts: { a: artifact }, story: ["Read."], objective: "Sum up" } };
const done = { kind: "finished", content: { status: "Completed", error: null } };

function state(...calls: (typeof told | typeof done)[]): ProgramState {
  const program = new ProgramState();
  for (const call of calls) program.take(call);
  return program;
}

function conclude(parts: Partial<ProgramRemains>): ReturnType<typeof concludeProgram> {
  return concludeProgram({
    run: { error: null, stderr: "" },
    state: state(told),
    resultText: undefined,
    resultFilename: "r.json",
    timeout: 600_000,
    cancelled: false,
    ...parts,
  });
}

const failed = (code: string, pythonType: string, traceback: string) => ({
  error: new RunError({ code, pythonType, message: "why", traceback }),
  stderr: "",
});

describe("how a program ended", () => {
  test("G60: time is told in seconds, and what was set stays", () => {
    const end = conclude({ run: failed("RUN_TIMEOUT", "RunTimeoutError", "") });

    expect(end.error).toMatchObject({
      error: "timeout",
      description: "Solver runtime exceeded 600s and was terminated.",
    });
    expect([...end.artifacts.keys()]).toEqual(["a"]);
  });

  test("G23: a SyntaxError that the program itself caused at work is one of its exceptions", () => {
    const own = conclude({ run: failed("PYTHON_ERROR", "SyntaxError", '  File "<main.py>", line 3\n    x = (\n') });
    const evaluated = 'File "<main.py>", line 5, in <module>\n  File "<string>", line 1\n';
    const caused = conclude({ run: failed("PYTHON_ERROR", "SyntaxError", evaluated) });

    expect(own.error).toMatchObject({ error: "syntax_error", description: "why (line 3)" });
    expect(caused.error).toMatchObject({ error: "SyntaxError: why", description: "Unhandled error" });
  });

  test("G64: a damaged result, a missing one and one by hand", () => {
    const finished = state(told, done);
    expect(conclude({ state: finished, resultText: "[" }).error?.error).toBe("malformed_result_json");
    expect(conclude({ state: finished }).error?.error).toBe("missing_result_file");
    const byHand = conclude({
      resultText: '{"ok": true, "out": [{"resource_id": "artifact:b", "output": {"text": "t"}}]}',
    });
    expect(byHand).toMatchObject({ error: null, areDrafts: false });
    expect([...byHand.artifacts]).toEqual([["b", expect.objectContaining({ text: "t" })]]);
    expect(conclude({ resultText: '{"ok": true, "error": {"error": "e"}}' }).error).toMatchObject({ error: "e" });
    expect(conclude({ resultText: '{"ok": false}' }).error).toMatchObject({ error: "failed" });
  });

  test("G64: an entry that is the log or no dict is none", () => {
    const end = conclude({
      resultText: '{"ok": true, "out_dyn": {"project_log": {"value": 1}, "a": "text", "b": {}}}',
    });
    expect([...end.artifacts.keys()]).toEqual(["b"]);
  });

  test("a lost interpreter is told by its code", () => {
    expect(conclude({ run: failed("WORKER_LOST", "WorkerLostError", "") }).error).toMatchObject({
      where: "runtime",
      error: "worker_lost",
      description: "why",
    });
  });
});

test("what a program says is taken only as what it is to be", () => {
  const program = state();
  expect(() => program.take({ kind: "progress", content: { artifacts: { a: 1 } } })).toThrow();
  expect(() =>
    program.take({
      kind: "progress",
      content: { artifacts: { a: { type: "inline", value: "x".repeat(17_000_000) } } },
    }),
  ).toThrow(/Write large contents to files/);
  expect(program.artifacts.size).toBe(0);
});

test("G44: artifacts are taken as plain JSON, and what JSON cannot hold is refused by the artifact's id", () => {
  const program = new ProgramState();
  const take = (value: Value) =>
    program.take({ kind: "progress", content: { artifacts: { a: { type: "inline", value } } } });

  take([2n ** 60n, { deep: undefined }]);
  expect(program.artifacts.get("a")?.value).toEqual(["1152921504606846976", { deep: null }]);

  const large = "x".repeat(17_000_000);
  const opaque = markPythonType({ repr: large, type: "Thing" }, "Thing");
  for (const value of [new Map([[1, large]]), new Set([large]), new Uint8Array(9), [opaque], NaN, new Date(0)]) {
    expect(() => take(value)).toThrow(
      expect.objectContaining({
        code: "ARTIFACT_VALUE",
        artifactId: "a",
        message: expect.stringMatching(/^Artifact 'a' holds /),
      }),
    );
  }
  expect(program.artifacts.get("a")?.value).toHaveLength(2);
});

test("what a program tells of itself is bounded by all that it said, and a call that is refused changes nothing", () => {
  const program = new ProgramState();
  const tell = (content: Record<string, Value>) => program.take({ kind: "progress", content });
  const refused = expect.objectContaining({ code: "PROGRAM_OUTPUT_LIMIT" });

  expect(tell({ story: ["x".repeat(90_000)], status: "one" })).toEqual({
    story: ["x".repeat(90_000)],
    status: "one",
    artifacts: {},
  });
  for (let index = 0; index < 10; index += 1) tell({ objective: "o".repeat(90_000) });
  expect(() => tell({ story: ["late"], status: "s".repeat(20_000), artifacts: { a: artifact } })).toThrow(refused);
  expect([program.status, program.story.length, program.artifacts.size]).toEqual(["one", 1, 0]);
  expect(program.take(done)).toMatchObject({ status: "Completed" });
});

test("calls that say nothing count as well", () => {
  const program = new ProgramState();
  expect(() => {
    for (let index = 0; index < 20_000; index += 1) program.take({ kind: "progress", content: {} });
  }).toThrow(/too much in its story/);
});

test("G47, G48: the log tells objective, status, story and artifacts", () => {
  const contract = parseContract({ a: { type: "inline", format: "text", description: "All of it." } });
  const program = state(told);
  program.take({ kind: "progress", content: { story: ["Wrote."], artifacts: { a: { ...artifact, draft: true } } } });

  expect(projectLog(program, contract)).toBe(
    "# Project Log\n\n## Objective\nSum up\n\n## Status\nIn progress\n\n## Story\nRead. Wrote.\n\n" +
      "## Produced Artifacts\n\n### a (inline) [DRAFT]\nAll of it.",
  );
});

test("G40: a path is within its folder, or none", () => {
  const folder = "/workspace/codegen/cg-1";
  expect(pathWithin(folder, "a/b.csv")).toBe("a/b.csv");
  expect(pathWithin(folder, `${folder}/a.csv`)).toBe("a.csv");
  expect(pathWithin(folder, "a/../b.csv")).toBe("b.csv");
  for (const path of ["../a.csv", "/workspace/a.csv", "a/../../b", "/workspace/codegen/cg-12/a", ".", "/../.."]) {
    expect(pathWithin(folder, path)).toBeNull();
  }
});

import { describe, expect, test } from "vitest";

import { concludeProgram, type ProgramRemains } from "../../../src/codegen/outcome/conclude.js";
import { parseContract } from "../../../src/contract/index.js";
import { pathWithin } from "../../../src/codegen/outcome/items.js";
import { projectLog } from "../../../src/codegen/outcome/project-log.js";
import { ProgramState } from "../../../src/codegen/outcome/program-state.js";
import { readResultFile } from "../../../src/codegen/outcome/result-file.js";
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

function conclude({
  resultText,
  ...parts
}: Partial<ProgramRemains> & { readonly resultText?: string }): ReturnType<typeof concludeProgram> {
  return concludeProgram({
    run: { error: null, stderr: "" },
    state: state(told),
    resultFile: readResultFile(resultText === undefined ? undefined : new TextEncoder().encode(resultText)),
    resultFilename: "r.json",
    outputDir: "/workspace/codegen/cg-1",
    executionId: "cg-1",
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
  test("time is told in seconds, and what was set stays (G60)", () => {
    const end = conclude({ run: failed("RUN_TIMEOUT", "RunTimeoutError", "") });

    expect(end.error).toMatchObject({
      error: "timeout",
      description: "Solver runtime exceeded 600s and was terminated.",
    });
    expect([...end.artifacts.keys()]).toEqual(["a"]);
  });

  test("a SyntaxError that the program itself caused at work is one of its exceptions (G23)", () => {
    const own = conclude({ run: failed("PYTHON_ERROR", "SyntaxError", '  File "<main.py>", line 3\n    x = (\n') });
    const evaluated = 'File "<main.py>", line 5, in <module>\n  File "<string>", line 1\n';
    const caused = conclude({ run: failed("PYTHON_ERROR", "SyntaxError", evaluated) });

    expect(own.error).toMatchObject({ error: "syntax_error", description: "why (line 3)" });
    expect(caused.error).toMatchObject({ error: "SyntaxError: why", description: "Unhandled error" });
  });

  test("a damaged result, a missing one and one by hand (G64)", () => {
    const finished = state(told, done);
    expect(conclude({ state: finished, resultText: "[" }).error?.error).toBe("malformed_result_json");
    const missing = conclude({ state: finished }).error;
    expect(missing?.error).toBe("missing_result_file");
    expect(JSON.parse(missing?.details ?? "")).toEqual({
      outdir: "/workspace/codegen/cg-1",
      workdir: "/workspace",
      run_id: "cg-1",
    });
    const byHand = conclude({
      resultText: '{"ok": true, "out": [{"resource_id": "artifact:b", "output": {"text": "t"}}]}',
    });
    expect(byHand).toMatchObject({ error: null, areDrafts: false });
    expect([...byHand.artifacts]).toEqual([["b", expect.objectContaining({ text: "t" })]]);
    expect(conclude({ resultText: '{"ok": true, "error": {"error": "e"}}' }).error).toMatchObject({ error: "e" });
    expect(conclude({ resultText: '{"ok": false}' }).error).toMatchObject({ error: "failed" });
  });

  test("a row has its value in its output, or beside it (G64)", () => {
    const rows = [
      { resource_id: "artifact:a", type: "inline", value: 1 },
      { resource_id: "artifact:b", type: "inline", output: null },
    ];
    const { artifacts } = conclude({ resultText: JSON.stringify({ ok: true, out: rows }) });
    expect([artifacts.get("a")?.value, artifacts.get("b")?.value]).toEqual([1, null]);
  });

  test("of rows with one id the first stands (G64)", () => {
    const rows = ["first", "second"].map((text) => ({ resource_id: "artifact:a", output: { type: "inline", text } }));
    const { artifacts } = conclude({ resultText: JSON.stringify({ ok: true, out: rows }) });
    expect([...artifacts.values()]).toEqual([expect.objectContaining({ text: "first" })]);
  });

  test("an entry that is the log or no dict is none (G64)", () => {
    const end = conclude({
      resultText: '{"ok": true, "out_dyn": {"project_log": {"value": 1}, "a": "text", "b": {}}}',
    });
    expect([...end.artifacts.keys()]).toEqual(["b"]);
  });

  describe("a result file is within the bounds of what a program tells (G64)", () => {
    const byHand = (out_dyn: Record<string, unknown>) => JSON.stringify({ ok: true, out_dyn });
    const limit = expect.objectContaining({ where: "codegen.tool", error: "program_output_limit" });
    const many = byHand(Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`k${String(index)}`, artifact])));
    const tooMuch = [
      ["more artifacts", many],
      ["more text", byHand({ b: { ...artifact, value: "x".repeat(17_000_000) } })],
      ["longer names", byHand({ ["b".repeat(1_100_000)]: artifact })],
      ["a longer objective", JSON.stringify({ ok: true, objective: "o".repeat(200_000) })],
      ["more bytes", byHand({ b: { ...artifact, value: "x".repeat(21_000_000) } })],
      [
        "more values",
        `{"ok":true,"out_dyn":{${Array.from({ length: 300_000 }, (_, index) => `"${String(index)}":{}`).join()}}}`,
      ],
    ] as const;

    test.each(tooMuch)("%s than it may tell", (_, resultText) => {
      const end = conclude({ resultText });
      expect(end).toMatchObject({ error: limit, areDrafts: true });
      expect([...end.artifacts.keys()]).toEqual(["a"]);
    });

    test("and what was told counts where the program had said that it is done", () => {
      const end = conclude({ state: state(told, done), resultText: many });
      expect(end).toMatchObject({
        error: null,
        areDrafts: false,
        warnings: [expect.stringMatching(/^result_file_not_read/)],
      });
      expect([...end.artifacts.keys()]).toEqual(["a"]);
    });

    test("marks within texts are no values", () => {
      const value = '{"[,:\\\\'.repeat(200_000);
      expect(conclude({ resultText: byHand({ b: { ...artifact, value } }) }).artifacts.get("b")).toMatchObject({
        value,
      });
    });

    test("an artifact that is nested too deep is refused, and no other one", () => {
      const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
      const end = conclude({ resultText: `{"ok":true,"out_dyn":{"a":{"value":${deep}},"b":{"value":1}}}` });
      expect(end.error).toBeNull();
      expect([...end.artifacts]).toEqual([
        ["a", {}],
        ["b", { value: 1 }],
      ]);
      expect([...end.refused]).toEqual([["a", expect.stringMatching(/more than 60 levels deep/)]]);
    });

    test("an error in it is text of bounded length, whatever it was", () => {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      const end = conclude({
        resultText: `{"error":{"error":"${"e".repeat(9_000)}","details":${deep},"description":{"a":1}}}`,
      });
      expect(end.error).toMatchObject({ details: '"…"', description: '{"a":1}' });
      expect(end.error?.error).toHaveLength(2_000);
    });
  });

  test("a message of any length is cut, and its beginning is told (G25)", () => {
    const page = `<html>${"x".repeat(1_000_000)}`;
    const error = new RunError({
      code: "PYTHON_ERROR",
      pythonType: "ValueError",
      message: page,
      traceback: `File\n${page}`,
    });
    const end = conclude({ run: { error, stderr: "" } });
    expect(end.error?.error).toMatch(/^ValueError: <html>x+…$/);
    expect(JSON.stringify(end.error).length).toBeLessThan(25_000);
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

test("artifacts are taken as plain JSON, and what JSON cannot hold is refused by the artifact's id (G44)", () => {
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

test("artifacts that are handed in again and again count each time, with their names", () => {
  const handIn = (count: number, id: (index: number) => string): (() => void) => {
    const program = new ProgramState();
    const artifacts = Object.fromEntries(Array.from({ length: count }, (_, index) => [id(index), artifact]));
    return () => {
      for (let calls = 0; calls < 50; calls += 1) program.take({ kind: "progress", content: { artifacts } });
    };
  };
  const refused = expect.objectContaining({ code: "PROGRAM_OUTPUT_LIMIT" });

  expect(handIn(500, String)).toThrow(refused);
  expect(handIn(1, () => "x".repeat(30_000))).toThrow(refused);
  expect(handIn(20, String)).not.toThrow();
});

test("the log tells objective, status, story and artifacts (G47, G48)", () => {
  const contract = parseContract({
    a: { type: "inline", format: "text", description: "All of it." },
    b: { type: "file", filename: "b.csv", mime: "text/csv", description: "" },
  });
  const program = state(told);
  program.take({ kind: "progress", content: { story: ["Wrote."], artifacts: { a: { ...artifact, draft: true } } } });
  const file = { type: "file", path: "b.csv", mime: "text/csv", description: "The rows." };
  program.take({ kind: "progress", content: { artifacts: { b: file, c: { ...artifact, format: "json" } } } });

  expect(projectLog(program, contract)).toBe(
    "# Project Log\n\n## Objective\nSum up\n\n## Status\nIn progress\n\n## Story\nRead. Wrote.\n\n" +
      "## Produced Artifacts\n\n### a (inline) [DRAFT]\nAll of it.\n\n" +
      "### b (file)\nThe rows.\n**Mime:** text/csv\n**Filename:** b.csv\n\n### c (inline)\n**Format:** json",
  );
  const { objective, status, story, artifacts } = program;
  const drafts = projectLog({ objective, status, story, artifacts, areDrafts: true }, contract);
  expect(drafts.match(/\[DRAFT\]/g)).toHaveLength(3);
});

test("a path is within its folder, or none (G40)", () => {
  const folder = "/workspace/codegen/cg-1";
  expect(pathWithin(folder, "a/b.csv")).toBe("a/b.csv");
  expect(pathWithin(folder, `${folder}/a.csv`)).toBe("a.csv");
  expect(pathWithin(folder, "a/../b.csv")).toBe("b.csv");
  for (const path of ["../a.csv", "/workspace/a.csv", "a/../../b", "/workspace/codegen/cg-12/a", ".", "/../.."]) {
    expect(pathWithin(folder, path)).toBeNull();
  }
});

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";

import { memorySecrets } from "../../../src/secrets/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { generate, SUMMARY } from "./programs.js";

const inline = (value: string) =>
  `await set_progress(artifact={"name": "summary", "type": "inline", "format": "markdown", "value": ${JSON.stringify(value)}})`;
const CSV = { report: { type: "file", filename: "report.csv", mime: "text/csv", description: "The rows." } };
const BOTH = { ...SUMMARY, ...CSV };
const writesReport = [
  'OUTPUT.joinpath("report.csv").write_text("a,b\\n1,2\\n")',
  'await set_progress(artifact={"report": {"type": "file", "path": "report.csv", "mime": "text/csv", "text": "a and b"}})',
];

const rates = functionTool({
  name: "rates",
  description: "What one unit of a currency is worth in euro.",
  input: z.object({ currency: z.string() }),
  run: ({ currency }) => {
    if (currency === "XXX") throw new Error("There is no XXX.");
    return { currency, euro: currency === "USD" ? 0.5 : 1 };
  },
});

let session: Session;

beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage(), tools: [rates], spare: "one" });
});
afterAll(() => session.close());

const lines = (...code: string[]): string => code.join("\n");

describe("a program that does what it should", () => {
  test("sets an inline artifact and is done (G1, G17)", async () => {
    const { result } = await generate(lines(inline("# Found\nIt."), "await done()"), { session });

    expect(result).toMatchObject({ ok: true, status: "success", error: null });
    expect(result.items).toMatchObject([
      { artifactId: "summary", kind: "inline", format: "markdown", status: "success", draft: false },
    ]);
    expect(result.items[0]?.output).toEqual({ kind: "inline", value: "# Found\nIt.", text: "# Found\nIt." });
  });

  test("a file is an item with its path, type and size, and lies in the workspace (G2)", async () => {
    const { result } = await generate(lines(...writesReport, "done()"), { session, contract: CSV });

    const [item] = result.items;
    expect(result.ok).toBe(true);
    expect(item).toMatchObject({ kind: "file", mime: "text/csv", output: { path: "report.csv", size: 8 } });
    const path = item?.output?.kind === "file" ? item.output.workspacePath : "";
    expect(path).toBe(`codegen/${result.runId}/report.csv`);
    expect(new TextDecoder().decode(await session.workspace.read(path))).toBe("a,b\n1,2\n");
  });

  test.each([
    ["done()", "done()"],
    ["fail('no')", "fail()"],
  ])("a program that finishes twice is told of the second, %s, and the first counts", async (second, call) => {
    const { result } = await generate(lines(inline("# Found"), "done()", second), { session });

    expect(result.ok).toBe(true);
    expect(result.warnings).toEqual([
      `finished_twice: ${call} was called after the program had finished; what it said first counts`,
    ]);
  });

  test("items come in the program's order, the missing ones last (G3, G32)", async () => {
    const contract = { other: SUMMARY.summary, ...BOTH };

    const { result } = await generate(lines(...writesReport, inline("x"), "await done()"), { session, contract });

    expect(result.items.map(({ artifactId, status }) => [artifactId, status])).toEqual([
      ["report", "success"],
      ["summary", "success"],
      ["other", "error"],
    ]);
    expect(result.items[2]).toMatchObject({
      output: null,
      summary: "MISSING: other",
      error: { error: "missing_artifact", where: "execution", description: "Artifact 'other' not produced" },
    });
    expect(result).toMatchObject({ ok: false, status: "partial" });
  });

  test("a full program runs by itself (G19)", async () => {
    const code = lines(
      "async def main():",
      `    ${inline("from main")}`,
      "    await done()",
      "",
      "if __name__ == '__main__':",
      "    asyncio.run(main())",
    );

    expect((await generate(code, { session })).result.items[0]?.output?.text).toBe("from main");
  });

  test("a snippet that only speaks of a main is one, and no string of it changes (G17, G19)", async () => {
    const code = lines(
      '"""Says what it was told."""',
      "from __future__ import annotations",
      'text = """if __name__ == "__main__":',
      "main()",
      '  async def main(): ..."""',
      'await set_progress(artifact={"name": "summary", "type": "inline", "value": text})',
      "await done()",
      "return",
    );

    const { result } = await generate(code, { session });

    expect(result.error).toBeNull();
    expect(result.items[0]?.output?.text).toBe('if __name__ == "__main__":\nmain()\n  async def main(): ...');
  });

  test("finds every name of its header without an import", async () => {
    const code = lines(
      "names = 'OUTPUT_DIR OUT_DIR OUT OUTPUT Path os asyncio sys logger agent_io_tools ctx_tools io_tools rates '",
      "names += 'set_progress done fail CONTRACT RESULT_FILENAME result_filename EXECUTION_ID EXECUTION_MODE '",
      "names += 'TOOL_ALIAS_MAP _PROGRESS _FINALIZED true false null tools skills artifacts'",
      "import json",
      "found = {",
      "    'missing': [name for name in names.split() if name not in globals()],",
      "    'folders': isinstance(OUTPUT_DIR, str) and OUT == OUT_DIR == OUTPUT == Path(OUTPUT_DIR) and OUT.is_dir(),",
      "    'files': result_filename == RESULT_FILENAME,",
      "    'mode': EXECUTION_MODE, 'id': EXECUTION_ID, 'contract': CONTRACT, 'tools': TOOL_ALIAS_MAP,",
      "    'progress': [_PROGRESS['objective'], _PROGRESS['status'], _PROGRESS['story'], _PROGRESS['out_dyn']],",
      "    'finalized': bool(_FINALIZED), 'parents': 'PORTABLE_SPEC' in globals(),",
      "}",
      'set_progress(artifact={"name": "summary", "type": "inline", "value": json.dumps(found)})',
      "logger.info('said to nobody'); logger.error('said')",
      "done()",
      "assert _FINALIZED and _FINALIZED == True and _PROGRESS['status'] == 'Completed'",
    );

    const { result } = await generate(code, { session });

    expect([result.error, result.warnings]).toEqual([null, []]);
    expect(JSON.parse(result.items[0]?.output?.text ?? "")).toEqual({
      missing: [],
      folders: true,
      files: true,
      mode: "TOOL",
      id: result.runId,
      contract: SUMMARY,
      tools: { rates: "rates" },
      progress: ["", "In progress", [], {}],
      finalized: false,
      parents: false,
    });
  });

  test("true, false and null are names, and attributes of that name stay (G20, G21)", async () => {
    const code = lines(
      "class Compute:",
      "    def null(self): return 'attribute'",
      "def shown(null=2): return null",
      'x = {"a": true, "b": null, "c": false}',
      'text = f"{x} {Compute().null()} {shown(null=1)}"',
      'await set_progress(artifact={"name": "summary", "type": "inline", "value": text})',
      "done()",
    );

    const { result } = await generate(code, { session });

    expect(result.items[0]?.output?.text).toBe("{'a': True, 'b': None, 'c': False} attribute 1");
  });

  test("forms of artifacts, drafts, gaps and the story are in item and log (G34, G37, G47, G48)", async () => {
    const code = lines(
      'set_progress(objective="Sum up", story_append="Read the rows.")',
      'set_progress(story_append=["Counted them.", "Wrote it down."])',
      'set_progress(artifact={"summary": {"type": "inline", "format": "markdown", "value": "x", "draft": True, "gaps": "no dates", "summary": "short"}})',
      'OUT.joinpath("report.csv").write_text("a\\n1\\n")',
      'set_progress(artifact={"artifact_id": "report", "type": "file", "path": OUT / "report.csv", "mime": "text/csv"})',
      "done()",
    );

    const { result } = await generate(code, { session, contract: BOTH });

    expect(result.items[0]).toMatchObject({ draft: true, gaps: "no dates", summary: "short", status: "success" });
    expect(result.items[1]?.output).toMatchObject({ path: "report.csv" });
    expect(result.projectLog).toContain(
      "## Story\n\nRead the rows. Counted them. Wrote it down.".replace("\n\n", "\n"),
    );
    expect(result.projectLog).toContain("### summary (inline) [DRAFT]");
    expect(result.projectLog).toContain("## Objective\nSum up");
  });

  test("plain and awaited calls, paths and other names of parameters all work (G50, G88, G89)", async () => {
    const code = lines(
      'Path(OUTPUT_DIR / "report.csv").write_text("a\\n1\\n")',
      'assert isinstance(OUTPUT_DIR, str) and (OUTPUT / "report.csv").exists()',
      'set_progress(out_dyn_patch={"report": {"type": "file", "path": "report.csv"}})',
      'rate = agent_io_tools.tool_call(fn=rates, params_json=\'{"currency": "USD"}\')',
      'again = await agent_io_tools.tool_call(fn=None, tool_id="rates", params={"currency": "USD"})',
      "assert rate == again",
      'await set_progress(artifact={"name": "summary", "type": "inline", "value": str(rate["euro"])})',
      "done()",
    );

    const { result } = await generate(code, { session, contract: BOTH });

    expect(result).toMatchObject({ ok: true, error: null });
  });

  test("two calls have their own result, files and variables (G66, G67, G68)", async () => {
    const fresh = await Session.open({ storage: memoryStorage() });
    const first = await generate(lines("secret = 1", ...writesReport, "done()"), { session: fresh, contract: CSV });
    const second = await generate(
      lines(
        'set_progress(artifact={"report": {"type": "file", "path": "report.csv"}})',
        'set_progress(artifact={"summary": {"type": "inline", "value": str("secret" in globals())}})',
        "done()",
      ),
      { session: fresh, contract: BOTH },
    );
    const files = await fresh.workspace.list();
    await fresh.close();

    expect(first.result.ok).toBe(true);
    expect(first.result.resultFilename).not.toBe(second.result.resultFilename);
    const kept = [...first.result.executedPrograms, ...second.result.executedPrograms];
    expect(kept).toEqual([0, 1].map((number) => `codegen/executed_programs/codegen_python_${String(number)}_main.py`));
    const stored = files.filter(({ path }) => kept.includes(path));
    expect(stored.map(({ trust }) => trust)).toEqual(["sandboxed", "sandboxed"]);
    expect(second.result.items[0]).toMatchObject({
      artifactId: "report",
      error: { error: "artifact_invalid", description: expect.stringMatching(/^file_not_found/) },
    });
    expect(second.result.items[1]?.output?.text).toBe("False");
  });

  test("it reaches no server that any page may ask, and finds no secret that its tools use (G69, G70)", async () => {
    const secret = `k3y-of-g70-${crypto.randomUUID()}`;
    const outside = `${inject("toolServer")}/open~results/echo/${crypto.randomUUID()}`;
    const guarded = await Session.open({
      storage: memoryStorage(),
      secrets: memorySecrets({ PIN: secret }),
      approvals: { "tools.vault.look": "allow" },
      seeds: [
        {
          file: "tools/vault.yaml",
          text:
            `name: vault\ntype: http\nbase_url: ${inject("toolServer")}/open\n` +
            'auth: {type: bearer, token: "${PIN}"}\nrecipes: {look: {path: echo}}\n',
        },
      ],
    });
    const code = lines(
      "import gc, urllib.request",
      "from js import XMLHttpRequest",
      "used = vault.look()['headers']['authorization']",
      "refused = []",
      "def ask():",
      "    request = XMLHttpRequest.new()",
      `    request.open('GET', '${outside}?by=request', False)`,
      "    request.send()",
      `for attempt in (ask, lambda: urllib.request.urlopen('${outside}?by=urllib', timeout=1)):`,
      "    try:",
      "        attempt()",
      "    except Exception:",
      "        refused.append(True)",
      "parts = ('k3y-of', 'g70')",
      "planted = {'here': '-'.join(parts)}",
      "held = [each.values() for each in gc.get_objects() if isinstance(each, dict)] + [os.environ.values()]",
      "found = [text for values in held for text in list(values) if isinstance(text, str) and all(part in text for part in parts)]",
      'set_progress(artifact={"summary": {"type": "inline", "value": str([used, refused, found])}})',
      "done()",
    );

    const { result } = await generate(code, { session: guarded });
    await guarded.close();
    await fetch(`${outside}?by=page`);

    expect(result.error).toBeNull();
    expect(result.items[0]?.output?.text).toBe("['Bearer [secret PIN]', [True, True], ['k3y-of-g70']]");
    expect(JSON.stringify(result)).not.toContain(secret);
    const log = z.array(z.object({ url: z.string() })).parse(await (await fetch(`${inject("toolServer")}/open~results/log`)).json()); // prettier-ignore
    expect(log.flatMap(({ url }) => (url.includes(outside.slice(-36)) ? [url.split("?")[1]] : []))).toEqual([
      "by=page",
    ]);
  });
});

describe("a program that does not", () => {
  test("no Python at all is said with its line (G23)", async () => {
    const { result } = await generate("x = 1\ny = (\n", { session });

    expect(result.error).toMatchObject({ error: "syntax_error", description: expect.stringContaining("line 2") });
    expect(result.items).toMatchObject([{ summary: "MISSING: summary", error: { error: "syntax_error" } }]);
  });

  test("an uncaught exception keeps what was made, and tells the program's line (G24, G25, G26)", async () => {
    const code = lines(inline("kept"), "", "def load():", "    raise ValueError('x')", "", "load()");

    const { result } = await generate(code, { session, contract: BOTH });

    expect(result).toMatchObject({ ok: false, status: "partial" });
    expect(result.error).toMatchObject({
      where: "main",
      error: "ValueError: x",
      description: "Unhandled error",
      managed: false,
    });
    expect(result.summary).toBe("ERROR [ValueError: x] at codegen: Unhandled error");
    const returning = await generate(lines("", "raise ValueError('y')", "return"), { session });
    expect(returning.result.error?.details).toMatch(/File "<main\.py>", line 2/);
    expect(result.error?.details).toMatch(/File "<main\.py>", line 6[^]*File "<main\.py>", line 4, in load/);
    expect(result.items).toMatchObject([
      { artifactId: "summary", status: "success", draft: false },
      { artifactId: "report", status: "error", error: { error: "ValueError: x" } },
    ]);
  });

  test("a failure that the program states has the fields it gave, and what it hands in with it is kept (G27, G89)", async () => {
    const handed = '{"summary": {"type": "inline", "format": "markdown", "value": "handed"}}';
    const failing = `await fail("no data", where="load", error="empty", out_dyn=${handed})`;
    const code = lines(inline("kept"), failing, "return");

    const { result } = await generate(code, { session, contract: BOTH });

    expect(result.ok).toBe(false);
    expect(result.error).toEqual({ where: "load", error: "empty", description: "no data", details: "", managed: true });
    expect(result.items).toMatchObject([
      { status: "success", output: { text: "handed" } },
      { status: "error", error: { error: "empty" } },
    ]);
  });

  test("one that ends without done leaves drafts (G28, G29)", async () => {
    for (const ending of ["", "await set_progress(flush=True)", "import sys\nsys.exit(0)"]) {
      const { result } = await generate(lines(inline("kept"), ending), { session });

      expect(result).toMatchObject({ ok: false, error: { error: "no_done" } });
      expect(result.items).toMatchObject([{ status: "success", draft: true }]);
      expect(result.projectLog).toContain("### summary (inline) [DRAFT]");
    }
  });

  test("what comes after done changes nothing, and an exit code is a warning (G30, G65)", async () => {
    const code = lines(
      inline("final"),
      "await done()",
      inline("later"),
      "await set_progress(flush=True)",
      "sys.exit(3)",
    );

    const { result } = await generate(code, { session });

    expect(result).toMatchObject({ ok: true, error: null });
    expect(result.items[0]?.output?.text).toBe("final");
    expect(result.warnings.join()).toContain("SystemExit: 3");
  });

  test("what nobody asked for is no item, and is told (G33)", async () => {
    const code = lines('set_progress(artifact={"extra": {"type": "inline", "value": "x"}})', inline("y"), "done()");

    const { result } = await generate(code, { session });

    expect(result.items.map(({ artifactId }) => artifactId)).toEqual(["summary"]);
    expect(result.warnings.join()).toContain("not_in_contract: the program made extra");
  });

  test("what is no artifact is a TypeError in the program that names it (G35, G36, G44)", async () => {
    const code = lines(
      "said = []",
      'for artifact in (["a"], {"summary": "text"}, {"summary": {"value": 1}}, {"summary": {"type": "inline", "value": object()}}):',
      "    try:",
      "        set_progress(artifact=artifact)",
      "    except TypeError as error:",
      "        said.append(str(error))",
      'set_progress(artifact={"name": "summary", "type": "inline", "value": "\\n".join(said)})',
      "done()",
    );

    const { result } = await generate(code, { session });

    const said = result.items[0]?.output?.text.split("\n") ?? [];
    expect(said[0]).toBe("artifact must be a dict");
    expect(said.slice(1).map((line) => line.startsWith("artifact 'summary'"))).toEqual([true, true, true]);
  });

  test("what has a plain form gets it: sets, dates, paths, and a whole number that JSON would round its digits (G44)", async () => {
    const code = lines(
      "import datetime",
      "when = datetime.datetime(2026, 1, 2, 3, 4)",
      'more = {"tags": {"b", "a"}, "day": when.date(), "when": when, "at": OUT, "pair": (1, 2)}',
      'set_progress(artifact={"summary": {"type": "inline", "format": "json", "value": {"id": 2**53 + 1, "n": 2**53 - 1, **more}}})',
      "done()",
    );
    const contract = { summary: { type: "inline", format: "json", description: "Numbers." } };

    const { result } = await generate(code, { session, contract });

    expect(result.error).toBeNull();
    expect(result.items[0]?.output).toMatchObject({
      value: {
        id: "9007199254740993",
        n: 9007199254740991,
        tags: ["a", "b"],
        day: "2026-01-02",
        when: "2026-01-02T03:04:00",
        at: `/workspace/codegen/${result.runId}`,
        pair: [1, 2],
      },
    });
  });

  test("files that are missing, empty, unreadable, unnamed or elsewhere are invalid (G38, G39, G40)", async () => {
    const contract = {
      ...Object.fromEntries(
        ["absent", "empty", "unnamed", "outside"].map((id) => [
          id,
          { type: "file", filename: `${id}.txt`, mime: "text/plain", description: "" },
        ]),
      ),
      book: {
        type: "file",
        filename: "book.xlsx",
        mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        description: "",
      },
    };
    const code = lines(
      'OUT.joinpath("empty.txt").write_text("")',
      'OUT.joinpath("book.xlsx").write_text("item,price")',
      'set_progress(artifact={"book": {"type": "file", "path": "book.xlsx"}})',
      'Path("/workspace/outside.txt").write_text("x")',
      'set_progress(artifact={"absent": {"type": "file", "path": "absent.txt"}})',
      'set_progress(artifact={"empty": {"type": "file", "path": "empty.txt"}})',
      'set_progress(artifact={"unnamed": {"type": "file", "mime": "text/plain"}})',
      'set_progress(artifact={"outside": {"type": "file", "path": "../../outside.txt"}})',
      "done()",
    );

    const { result } = await generate(code, { session, contract });

    const found = Object.fromEntries(result.items.map(({ artifactId, error }) => [artifactId, error]));
    expect(Object.values(found).map((error) => error?.error)).toEqual(Array(5).fill("artifact_invalid"));
    expect(found.absent?.description).toMatch(/^file_not_found/);
    expect(found.empty?.description).toBe("empty_file");
    expect(found.book?.description).toMatch(/^xlsx_open_failed: /);
    expect(found.unnamed?.description).toMatch(/^missing_path/);
    expect(found.outside?.description).toMatch(/^path_outside_output_dir/);
  });

  test("the contract wins over what the artifact says, and JSON has to be some (G41, G43)", async () => {
    const contract = {
      data: { type: "inline", format: "json", description: "" },
      broken: { type: "inline", format: "json", description: "" },
      report: { type: "file", filename: "report.csv", mime: "text/csv", description: "" },
    };
    const code = lines(
      'set_progress(artifact={"data": {"type": "inline", "format": "text", "value": \'{"a": [1]}\'}})',
      'set_progress(artifact={"broken": {"type": "inline", "format": "json", "value": "{a"}})',
      'OUT.joinpath("report.csv").write_text("a,b\\n1,2\\n")',
      'set_progress(artifact={"report": {"type": "file", "path": "report.csv", "mime": "text/plain"}})',
      "done()",
    );

    const { result } = await generate(code, { session, contract });

    const [data, broken, report] = result.items;
    expect(data).toMatchObject({ status: "success", format: "json", output: { value: { a: [1] } } });
    expect(data?.warnings.join()).toContain("contract_mismatch: the contract says format json, the artifact text");
    expect(broken).toMatchObject({ status: "error", error: { error: "artifact_invalid" } });
    expect(report).toMatchObject({ status: "success", mime: "text/csv" });
    expect(report?.warnings.join()).toContain("contract_mismatch: the contract says mime text/csv");
  });

  test("one that does not end keeps what it had set (G60, G61)", async () => {
    const { result } = await generate(lines(inline("so far"), "while True:", "    pass"), {
      session,
      contract: BOTH,
      timeout: 1500,
    });

    expect(result.error).toMatchObject({
      where: "runtime",
      error: "timeout",
      description: "Solver runtime exceeded 1.5s and was terminated.",
    });
    expect(result.items).toMatchObject([
      { artifactId: "summary", status: "success", output: { text: "so far" } },
      { artifactId: "report", status: "error", error: { error: "timeout" } },
    ]);
  });

  test("also when it resists being interrupted and is ended with its interpreter (G61)", async () => {
    const code = lines(
      inline("so far"),
      "while True:",
      "    try:",
      "        while True: pass",
      "    except BaseException: pass",
    );

    const { result } = await generate(code, { session, timeout: 1000 });

    expect(result.error?.error).toBe("timeout");
    expect(result.items).toMatchObject([{ status: "success", output: { text: "so far" } }]);
  });

  test("one that a person stops keeps what it had set (G62)", async () => {
    const stop = new AbortController();

    const { result } = await generate(lines(inline("so far"), "while True: await asyncio.sleep(0.01)"), {
      session,
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "artifact") stop.abort();
      },
    });

    expect(result).toMatchObject({ ok: false, error: { error: "cancelled" } });
    expect(result.items).toMatchObject([{ status: "success", output: { text: "so far" } }]);
  });

  test("a damaged result and a missing one are told apart (G64)", async () => {
    const damaged = await generate(lines(inline("x"), "done()", "(OUT / RESULT_FILENAME).write_text('{')"), {
      session,
    });
    const missing = await generate(lines(inline("x"), "done()", "(OUT / RESULT_FILENAME).unlink()"), { session });

    expect(damaged.result.error).toMatchObject({ where: "codegen.tool", error: "malformed_result_json" });
    expect(missing.result.error).toMatchObject({ error: "missing_result_file", managed: true });
    expect(damaged.result.summary).toBe("ERROR: malformed result.json");
    expect(missing.result.summary).toBe("ERROR: missing result file");
    expect(JSON.parse(missing.result.error?.details ?? "")).toMatchObject({ run_id: missing.result.runId });
    expect(missing.result.error?.description).toBe(`Expected result file not found: ${missing.result.resultFilename}`);
  });

  test("one that it saves by hand is refused as a whole where it is too large, and an artifact at fault by itself (G64)", async () => {
    const saves = "(OUT / RESULT_FILENAME).write_text";
    const many = `${saves}('{"out_dyn":{' + ",".join(f'"k{i}":{{}}' for i in range(400_000)) + '}}')`;
    const deep = `${saves}('{"out_dyn":{"summary":{"value":' + "["*200_000 + "]"*200_000 + '},"report":{"type":"file","path":"report.csv"}}}')`;

    const large = await generate(lines(inline("kept"), many), { session });
    const { result } = await generate(lines(...writesReport, deep), { session, contract: BOTH });

    expect(large.result).toMatchObject({ ok: false, error: { error: "program_output_limit" } });
    expect(large.result.items).toMatchObject([{ status: "success", draft: true, output: { text: "kept" } }]);
    expect(result).toMatchObject({ status: "partial", error: { error: "artifact_invalid" } });
    expect(result.items).toMatchObject([
      {
        artifactId: "summary",
        status: "error",
        error: { error: "artifact_invalid", description: expect.stringMatching(/^refused/) },
      },
      { artifactId: "report", status: "success" },
    ]);
  });

  test("a result that it saves by hand counts", async () => {
    const code = lines(
      'io_tools.save_ret({"ok": True, "out": [{"resource_id": "slot:summary", "type": "inline", "output": {"text": "by hand"}}]}, filename=result_filename)',
    );

    const { result } = await generate(code, { session });

    expect(result).toMatchObject({ ok: true, error: null });
    expect(result.items[0]?.output?.text).toBe("by hand");
  });
});

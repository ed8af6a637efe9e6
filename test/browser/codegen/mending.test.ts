import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { Codegen, codegenTool, executeCodeTool, type CodegenSession } from "../../../src/codegen/index.js";
import { messageText } from "../../../src/model/index.js";
import { Session, type SessionOptions } from "../../../src/session/index.js";
import { memoryStorage, StorageReadError, StorageWriteError, type StorageBackend } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { RUN } from "../../timeouts.mjs";
import { cutOff, dictated, files, generate, SUMMARY, type DictatedModel } from "./programs.js";

const opened: Session[] = [];
async function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  const session = await Session.open({ storage: memoryStorage(), trust: "local", timeout: RUN, ...options });
  opened.push(session);
  return session;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

const lines = (...code: string[]): string => code.join("\n");
const DONE = lines('set_progress(artifact={"summary": {"type": "inline", "value": "# Found"}})', "done()");
const DATA = { data: { type: "file", filename: "r.json", mime: "application/json", description: "Rows." } };
const BROKEN_DATA = lines(
  'OUT.joinpath("r.json").write_text("{a")',
  'set_progress(story_append="Wrote it.", artifact={"data": {"type": "file", "path": "r.json"}})',
  "done()",
);
const REPORT = { report: { type: "file", filename: "report.csv", mime: "text/csv", description: "" } };
const WRITES_REPORT = lines(
  'OUT.joinpath("report.csv").write_text("a\\n1\\n")',
  'set_progress(artifact={"report": {"type": "file", "path": "report.csv"}})',
);

/** What the model was told last. */
const toldLast = ({ requests }: DictatedModel): string =>
  messageText(requests.at(-1)?.messages.at(-1) ?? { role: "user", content: "" });

describe("what an attempt made is there although the next one came to nothing", () => {
  test("when the model fails that is to mend it (G16)", async () => {
    const session = await open();

    const { result } = await generate(dictated(files(BROKEN_DATA)), {
      session,
      contract: DATA,
      repairs: 1,
    });

    expect(result).toMatchObject({
      ok: false,
      attempts: 2,
      error: { error: "artifact_invalid" },
      program: BROKEN_DATA,
    });
    expect(result.projectLog).toContain("Wrote it.");
    expect(result.items[0]).toMatchObject({ output: { path: "r.json" }, error: { error: "artifact_invalid" } });
    expect(result.warnings.join()).toContain(
      "attempt_failed: 2: codegen_model_error: The model has nothing more to say.",
    );
    const path = `${(result.outputDir ?? "").replace("/workspace/", "")}/r.json`;
    expect(new TextDecoder().decode(await session.workspace.read(path))).toBe("{a");
  });

  test("when a person stops it (G62)", async () => {
    const session = await open();
    const stop = new AbortController();

    const { result } = await generate(dictated(files(BROKEN_DATA)), {
      session,
      contract: DATA,
      repairs: 1,
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "repair") stop.abort();
      },
    });

    expect(result).toMatchObject({ attempts: 2, error: { error: "cancelled" }, program: BROKEN_DATA });
    expect(result.items[0]).toMatchObject({ output: { path: "r.json" } });
  });

  test("when it failed in another way, whose files stay as well", async () => {
    const session = await open();
    const contract = { ...REPORT, ...SUMMARY };
    const model = dictated(files(lines(WRITES_REPORT, "done()")), files(lines(DONE, "boom()")));

    const { result } = await generate(model, { session, contract, repairs: 1 });

    expect(result.items).toMatchObject([{ artifactId: "summary" }, { artifactId: "report", status: "error" }]);
    const kept = (await session.workspace.list()).map(({ path }) => path);
    expect(kept).toContain(`codegen/${result.runId}/report.csv`);
  });
});

describe("a reply that was cut off", () => {
  test("is not run, and the model is told", async () => {
    const mailed: string[] = [];
    const sendMail = functionTool({
      name: "send_mail",
      description: "Sends a text.",
      input: z.object({ text: z.string() }),
      run: ({ text }) => mailed.push(text),
    });
    const session = await open({ tools: [sendMail] });
    const half = cutOff('```python\nsend_mail(text="half")\nrows = 1');
    const model = dictated(half, files(DONE));

    const { result, events } = await generate(model, { session, repairs: 1 });

    expect(mailed).toEqual([]);
    const ended = events.find(({ type }) => type === "generation-ended");
    expect(ended).toMatchObject({ code: null, error: { error: "codegen_no_main_py" } });
    expect(toldLast(model)).toContain("cut off at its length limit");
    expect(result).toMatchObject({ ok: true, attempts: 2 });
  });
});

describe("what a program wrote to stderr", () => {
  const code = lines(
    'logger.info("all is well")',
    'logger.error("x" * 5_000)',
    "try:",
    "    1 / 0",
    "except ZeroDivisionError:",
    '    logger.exception("it broke")',
    'logger.info("all is well")',
    "done()",
  );

  test("is told to the model that mends it: the last 4,000 characters, without lines of INFO", async () => {
    const model = dictated(files(code), files(DONE));

    await generate(model, { session: await open(), repairs: 1 });

    const [, log = ""] = /Error logs tail:\n([^]*?)\n\nIt starts anew/.exec(toldLast(model)) ?? [];
    expect(log).toHaveLength(4_000);
    expect(log).toMatch(/^x+\nERROR it broke\nTraceback[^]*ZeroDivisionError: division by zero$/);
  });

  test("ends the message of an item that was not made", async () => {
    const session = await open();
    session.tools.register(codegenTool({ session, model: dictated(files(code)), repairs: 0 }));
    session.tools.register(executeCodeTool({ session }));

    const { value } = await session.run(
      lines(
        `made = tools.codegen_python(instruction="x", output_contract=${JSON.stringify(SUMMARY)})["items"]`,
        `spec = [{"name": "report", "filename": "report.csv", "mime": "text/csv", "description": "Rows."}]`,
        `ran = tools.execute_code_python(code=${JSON.stringify(code)}, out_artifacts_spec=spec)["items"]`,
        '[item["error"]["description"] for item in made + ran]',
      ),
    );

    const [made, ran] = z.tuple([z.string(), z.string()]).parse(value);
    expect(made).toMatch(/^Artifact 'summary' not produced\n\nError logs tail:\nx+\nERROR it broke\n/);
    expect(ran).toMatch(/^file_not_found: [^\n]*\n\nError logs tail:\nx+\n[^]*ZeroDivisionError: division by zero$/);
  });
});

describe("a storage that fails", () => {
  /** Refuses to read, or to delete, records whose keys end so. */
  function faulty({ reads, deletes }: { readonly reads?: RegExp; readonly deletes?: RegExp }): StorageBackend {
    const whole = memoryStorage();
    const fails = (keys: readonly string[], which: RegExp | undefined) => keys.find((key) => which?.test(key));
    return {
      keys: (prefix) => whole.keys(prefix),
      close: () => {
        whole.close();
      },
      get: (key) =>
        fails([key], reads) === undefined ? whole.get(key) : Promise.reject(new StorageReadError(key, "a bad block")),
      write: (entries, options) => {
        const key = fails(
          Array.from(entries).flatMap(([name, bytes]) => (bytes === null ? [name] : [])),
          deletes,
        );
        if (key === undefined) return whole.write(entries, options);
        return Promise.reject(new StorageWriteError(key, "a bad block"));
      },
    };
  }

  test("costs the item whose file cannot be read, and no other", async () => {
    const session = await open({ storage: faulty({ reads: /other\.csv$/ }) });
    const other = WRITES_REPORT.replaceAll("report", "other");
    const contract = { ...REPORT, other: { ...REPORT.report, filename: "other.csv" } };

    const { result } = await generate(lines(WRITES_REPORT, other, "done()"), { session, contract });

    expect(result).toMatchObject({ status: "partial", error: { error: "artifact_invalid" } });
    expect(result.items).toMatchObject([
      { artifactId: "report", status: "success" },
      { artifactId: "other", status: "error", error: { error: "artifact_invalid" } },
    ]);
    expect(result.items[1]?.error?.description).toMatch(/^file_unreadable: .*a bad block/);
  });

  test("takes with the result file nothing of what was made", async () => {
    const session = await open({ storage: faulty({ reads: /codegen_result_/ }) });

    const { result } = await generate(DONE, { session });

    expect(result).toMatchObject({ status: "partial", error: { error: "missing_result_file" } });
    expect(result.items).toMatchObject([{ status: "success", output: { text: "# Found" } }]);
    expect(result.warnings.join()).toMatch(/result_file_unreadable: .*a bad block/);
  });

  test("leaves files of an attempt that does not count, and says so", async () => {
    const session = await open({ storage: faulty({ deletes: /junk\.txt$/ }) });
    const model = dictated(files("OUT.joinpath('junk.txt').write_text('x')\nboom()"), files(DONE));

    const { result } = await generate(model, { session, repairs: 1 });

    expect(result).toMatchObject({ ok: true, items: [{ status: "success" }] });
    expect(result.warnings.join()).toMatch(/files_left: .*a bad block/);
  });
});

describe("what nobody sets", () => {
  /** The session, and how long the programs of each interpreter that it is asked for may run. */
  function watched(session: Session) {
    const timeouts: unknown[] = [];
    const asked: CodegenSession = {
      tools: session.tools,
      skills: session.skills,
      workspace: session.workspace,
      openChild: (options) => {
        timeouts.push(options.timeout);
        return session.openChild(options);
      },
    };
    return { asked, timeouts };
  }

  test("is one repair, 7,000 tokens a reply, 80 lines and ten minutes", async () => {
    const { asked, timeouts } = watched(await open());
    const model = dictated(files("boom()"), files("boom()"), files(DONE));

    const run = new Codegen({ session: asked, model }).run({ outputContract: SUMMARY, instruction: "Do it." });

    expect(await run.result).toMatchObject({ ok: false, attempts: 2 });
    expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([7_000, 7_000]);
    expect(messageText(model.requests[0]?.messages[1] ?? { role: "user", content: "" })).toContain("At most 80 lines.");
    expect(timeouts).toEqual([600_000, 600_000]);
  });

  test("is ten minutes for code that is supplied", async () => {
    const session = await open();
    const { asked, timeouts } = watched(session);
    session.tools.register(executeCodeTool({ session: asked }));
    const row = { name: "report", filename: "report.csv", mime: "text/csv", description: "Rows." };

    await session.run(`tools.execute_code_python(code="pass", out_artifacts_spec=[${JSON.stringify(row)}])`);

    expect(timeouts).toEqual([600_000]);
  });
});

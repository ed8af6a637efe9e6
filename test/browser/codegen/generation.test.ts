import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { Codegen, codegenTool, type CodegenEvent, type CodegenResult } from "../../../src/codegen/index.js";
import { messageText, ModelServerError, openaiModel, type Model, type ModelError } from "../../../src/model/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { RUN } from "../../timeouts.mjs";
import { dictated, files, generate, overHttp, SUMMARY, type DictatedModel } from "./programs.js";

const DONE = `await set_progress(story_append="Wrote it.", artifact={"name": "summary", "type": "inline", "format": "markdown", "value": "# Found"})\nawait done()`;

let session: Session;

beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage(), spare: "one", timeout: RUN });
  await session.skills.create({
    name: "clean_units",
    source: 'def run(text: str) -> str:\n    """Write units in one way."""\n    return text.replace("metres", "m")\n',
    description: "Write units in one way.",
  });
});
afterAll(() => session.close());

const typesOf = (events: readonly CodegenEvent[]) => events.map(({ type }) => type);

describe("a program is generated over HTTP", () => {
  test("title, streamed code, progress and items are events in order, each below its cause (G14, G49, G90)", async () => {
    const events: CodegenEvent[] = [];

    const { result } = await generate(overHttp(files(DONE, "What I did.")), {
      session,
      progName: "Summing up",
      onEvent: (event) => events.push(event),
    });

    expect(result).toMatchObject({ ok: true, attempts: 1, reasoning: "What I did." });
    expect(events[0]).toMatchObject({ type: "codegen-started", progName: "Summing up", parentId: null });
    const order = typesOf(events).filter((type, index, all) => all[index - 1] !== type);
    expect(order).toEqual([
      "codegen-started",
      "generation-started",
      "program-text",
      "generation-ended",
      "run-started",
      "artifact",
      "progress",
      "run-ended",
      "item",
      "codegen-ended",
    ]);
    const texts = events.flatMap((event) => (event.type === "program-text" ? [event.text] : []));
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.join("")).toBe(DONE);
    const progress = events.find(({ type }) => type === "progress");
    expect(progress).toMatchObject({ objective: null, status: null, story: ["Wrote it."] });
    const ids = new Set(events.map(({ id }) => id));
    expect(events.filter(({ parentId }) => parentId !== null && !ids.has(parentId))).toEqual([]);
  });

  test("progress tells what is new, and the log is there whenever somebody asks (G49)", async () => {
    const logs: string[] = [];
    const code = `set_progress(objective="Sum up", story_append="Read.")\nset_progress(story_append="Counted.")\n${DONE}`;

    const run = new Codegen({ session, model: dictated(files(code)) }).run(
      { outputContract: SUMMARY, instruction: "Do it." },
      { onEvent: ({ type }) => (type === "progress" ? logs.push(run.projectLog()) : undefined) },
    );
    const before = run.projectLog();
    const result = await run.result;

    expect(run.events.filter(({ type }) => type === "progress")).toMatchObject([
      { objective: "Sum up", status: null, story: ["Read."] },
      { objective: null, status: null, story: ["Counted."] },
      { objective: null, status: null, story: ["Wrote it."] },
      { objective: null, status: "Completed", story: [] },
    ]);
    expect(before).toBe("");
    expect(logs[1]).toMatch(/Sum up[^]*Read\. Counted\.\n/);
    expect(logs[2]).toContain("### summary (inline)");
    expect(run.projectLog()).toBe(result.projectLog);
  });

  test("a fenced block of Python is taken as well", async () => {
    expect((await generate(overHttp("Here:\n```python\n" + DONE + "\n```"), { session })).result.ok).toBe(true);
  });

  test("a reply without files, or without main.py, runs nothing (G15)", async () => {
    const other = JSON.stringify({ files: [{ path: "other.py", content: "x = 1" }], entrypoint: "python other.py" });

    const none = await generate(overHttp("I would rather not."), { session });
    const noMain = await generate(overHttp(other), { session });

    expect(none.result.error).toMatchObject({ where: "codegen", error: "codegen_no_files" });
    expect(noMain.result.error).toMatchObject({ error: "codegen_no_main_py" });
    expect(JSON.parse(noMain.result.error?.details ?? "")).toMatchObject({
      entrypoint: "python other.py",
      received_files: ["other.py"],
    });
    expect(noMain.result.items).toMatchObject([
      { summary: "MISSING: summary", error: { error: "codegen_no_main_py" } },
    ]);
    expect([...typesOf(none.events), ...typesOf(noMain.events)]).not.toContain("run-started");
  });

  test.each([
    ["fails", "unauthorized", "ModelAuthError"],
    ["declines", "refuses", "ModelRefusedError"],
  ])("a model that %s is an error of the result, and is not asked again (G16)", async (_, scenario, details) => {
    const model = openaiModel({
      baseURL: `${inject("modelServer")}/${scenario}/v1`,
      apiKey: "sk-test-0123456789",
      model: "dictated",
    });

    const { result } = await generate(model, { session });

    const error = { where: "codegen", error: "codegen_model_error", details };
    expect(result).toMatchObject({ ok: false, attempts: 1, error });
    expect(result.items).toMatchObject([{ status: "error" }]);
  });
});

describe("a model that fails", () => {
  /** Fails so often, each time with the beginning of a reply, and then says this. */
  function failing(failures: ModelError[], reply: string): DictatedModel {
    const model = dictated(reply);
    const left = [...failures];
    return {
      name: "dictated",
      kind: "openai",
      requests: model.requests,
      complete: async function* (request) {
        const failure = left.shift();
        if (failure === undefined) {
          yield* model.complete(request);
          return;
        }
        yield { type: "text", text: files("boom()").slice(0, 60) };
        throw failure;
      },
    };
  }

  const busy = (retryAfter = 10): ModelError =>
    new ModelServerError({ server: "127.0.0.1", model: "dictated" }, { status: 503, reason: "busy", retryAfter });

  test("is asked again where that may help, and what it had begun is no part of the program", async () => {
    const { result, events } = await generate(failing([busy(), busy()], files(DONE)), { session });

    expect(result).toMatchObject({ ok: true, attempts: 1, program: DONE });
    expect(events.filter(({ type }) => type === "generation-retry")).toMatchObject([
      { attempt: 1, failures: 1, delay: 10, code: "MODEL_SERVER" },
      { attempt: 1, failures: 2, delay: 10, code: "MODEL_SERVER" },
    ]);
    const again = typesOf(events).lastIndexOf("generation-retry");
    const texts = events.slice(again).flatMap((event) => (event.type === "program-text" ? [event.text] : []));
    expect(texts.join("")).toBe(DONE);
  });

  test("fails the run once it was asked again as often as is wanted", async () => {
    const { result, events } = await generate(failing([busy(), busy()], files(DONE)), { session, retries: 1 });

    expect(result).toMatchObject({
      ok: false,
      attempts: 1,
      error: { error: "codegen_model_error", details: "ModelServerError" },
    });
    expect(typesOf(events).filter((type) => type === "generation-retry")).toHaveLength(1);
  });

  test("and overlooks that it is stopped holds up nothing, while it writes or is waited for", async () => {
    const deaf: Model = {
      name: "deaf",
      kind: "openai",
      complete: async function* () {
        yield { type: "text", text: "Let me think" };
        await new Promise(() => undefined);
      },
    };
    for (const [model, type] of [
      [deaf, "generation-started"],
      [failing([busy(50_000)], files(DONE)), "generation-retry"],
    ] as const) {
      const stop = new AbortController();
      const { result } = await generate(model, {
        session,
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type === type) setTimeout(() => stop.abort(), 20);
        },
      });
      expect(result.error).toMatchObject({ error: "cancelled" });
    }
  });
});

describe("a program that failed is mended once", () => {
  test("the model gets error and program back, in a clean interpreter, and both calls are counted", async () => {
    const model = dictated(
      files("leftover = 1\nOUT.joinpath('junk.txt').write_text('x')\nboom()"),
      files(`assert "leftover" not in globals()\n${DONE}`),
    );

    const { result, events } = await generate(model, { session, repairs: 1 });

    expect(result).toMatchObject({ ok: true, attempts: 2, usage: { inputTokens: 20, outputTokens: 10 } });
    expect(typesOf(events).filter((type) => type === "repair")).toHaveLength(1);
    const [, , reply, told] = model.requests[1]?.messages ?? [];
    expect(reply?.role === "assistant" && reply.content).toContain("boom()");
    expect(told && messageText(told)).toContain("NameError: name 'boom' is not defined");
    expect(told && messageText(told)).toContain('File "<main.py>", line 3');
    expect((await session.workspace.list()).filter(({ path }) => path.endsWith("junk.txt"))).toEqual([]);
  });

  test("what is missing, invalid or not asked for is told and mended, and a second failure is the end (G33)", async () => {
    const extra = 'set_progress(artifact={"extra": {"type": "inline", "value": "x"}})';
    const model = dictated(files(`${extra}\nawait done()`), files("await done()"), files(DONE));

    const { result } = await generate(model, { session, repairs: 1 });

    expect(result).toMatchObject({ ok: false, attempts: 2, items: [{ error: { error: "missing_artifact" } }] });
    expect(model.requests).toHaveLength(2);
    const told = messageText(model.requests[1]?.messages.at(-1) ?? { role: "user", content: "" });
    expect(told).toContain("Not made, or not usable: summary (Artifact 'summary' not produced");
    expect(told).toContain("not_in_contract: the program made extra");
  });

  test("a failure that the program states is an answer, and not mended", async () => {
    const model = dictated(files('await fail("no data")'), files(DONE));

    expect((await generate(model, { session, repairs: 1 })).result).toMatchObject({ ok: false, attempts: 1 });
  });
});

describe("what a program may ask for", () => {
  test("a path that is as long as a text is none, also one into the sources (G71)", async () => {
    const code = [
      'err = ctx_tools.fetch_ctx(f"sources_pool[{\'1,\' * 500}1]")["err"]',
      "text = f\"{err['code']} {len(err['message']) < 300}\"",
      'set_progress(artifact={"name": "summary", "type": "inline", "format": "markdown", "value": text})',
      "done()",
    ].join("\n");
    const sources = [{ sid: 1, url: "https://one.example/" }];

    const { result } = await generate(dictated(files(code)), { session, sources });

    expect(result.items[0]?.output).toMatchObject({ text: "invalid_path_literal True" });
  });
});

describe("what the model is told", () => {
  test("contract, skills and sources, and the program reads sources by their sid (G12, G13)", async () => {
    const code = [
      'rows = await ctx_tools.fetch_ctx("sources_pool[2]")',
      "import base64",
      "assert base64.b64decode(rows['ret'][0]['base64']) == b'plan'",
      "text = skills.clean_units(text=f\"{rows['ret'][0]['title']} is 8 metres [[S:2]]\")",
      'await set_progress(artifact={"name": "summary", "type": "inline", "format": "markdown", "value": text})',
      "await done()",
    ].join("\n");
    const model = dictated(files(code));

    const { result } = await generate(model, {
      session,
      skills: ["skills.clean_units"],
      sources: [
        { sid: 1, title: "One", url: "https://one.example/" },
        {
          sid: 2,
          title: "The tower",
          url: "https://two.example/a",
          text: "It is 8 metres high.",
          mime: "image/png",
          base64: "cGxhbg==",
        },
        { sid: 3, url: "https://one.example/#again" },
      ],
    });

    const told = (model.requests[0]?.messages ?? []).map(messageText).join("\n");
    expect(told).toContain("### skills.clean_units");
    expect(told).toContain("def run(text: str) -> str");
    expect(told).toContain("[S:2] The tower — https://two.example/a\nIt is 8 metres high.");
    expect(told).toContain('Its content (image/png) is base64 in ctx_tools.fetch_ctx("sources_pool[2]").');
    // It is the program's, nobody else's: results are read by models.
    expect(JSON.stringify([told, result.sourcesPool])).not.toContain("cGxhbg==");
    expect(told).toContain('"summary"');
    const renumbered = "sources_renumbered: S:3 is S:1";
    expect(told).toContain(renumbered);
    expect(result.warnings).toContain(renumbered);
    expect(result.items[0]).toMatchObject({
      output: { text: "The tower is 8 m [[S:2]]" },
      sourcesUsed: [2],
      unresolvedSources: [],
    });
  });

  test("a skill that is not there is said before anything is generated (G12)", async () => {
    const model = dictated(files(DONE));

    const { result } = await generate(model, { session, skills: ["skills.nowhere"] });

    expect(result.error).toMatchObject({ error: "unknown_skill" });
    expect(model.requests).toEqual([]);
  });
});

describe("the tool", () => {
  test("parameters are looked at before anything is generated (G4, G5, G6, G8)", async () => {
    const model = dictated();
    const asked: CodegenResult[] = [];
    session.tools.register(
      codegenTool({ session, model, name: "at_the_door", onResult: (result) => asked.push(result) }),
    );

    const { value, error } = await session.run(
      [
        "calls = [",
        "    dict(output_contract={'a': {'type': 'inline', 'format': 'text'}}),",
        "    dict(instruction='x', output_contract={}),",
        "    dict(instruction='x', output_contract='{'),",
        "    dict(instruction='x', output_contract=[1]),",
        "    dict(instruction='x', output_contract={'a': {'type': 'file', 'filename': '../a', 'mime': 'text/csv'}}),",
        "]",
        "[tools.at_the_door(**call)['error']['error'] for call in calls]",
      ].join("\n"),
    );

    expect(error).toBeNull();
    expect(value).toEqual([
      "missing_parameters",
      "missing_parameters",
      "invalid_output_contract",
      "invalid_output_contract",
      "invalid_filename",
    ]);
    expect(model.requests).toEqual([]);
    expect(asked.map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0, 0]);
  });

  test("session code calls it from end to end, with the contract as JSON (G5, G90)", async () => {
    session.tools.register(codegenTool({ session, model: overHttp(files(DONE)) }));

    const { value, error } = await session.run(
      `tools.codegen_python(instruction="Sum up", output_contract=${JSON.stringify(JSON.stringify(SUMMARY))}, skills=["clean_units"], prog_name="Sum")`,
    );

    expect(error).toBeNull();
    expect(value).toMatchObject({
      ok: true,
      error: null,
      items: [{ artifact_id: "summary", type: "inline", format: "markdown", output: { value: "# Found" } }],
    });
  });

  test("when its call is given up the program is stopped (G62)", async () => {
    const results: CodegenResult[] = [];
    const loop =
      'set_progress(artifact={"name": "summary", "type": "inline", "value": "x"})\nwhile True: await asyncio.sleep(0.01)';
    const stop = new AbortController();
    session.tools.register(
      codegenTool({
        session,
        model: dictated(files(loop)),
        name: "endless",
        onEvent: ({ type }) => {
          if (type === "artifact") stop.abort();
        },
        onResult: (result) => results.push(result),
      }),
    );

    const { error } = await session.run(`tools.endless(instruction="x", output_contract=${JSON.stringify(SUMMARY)})`, {
      signal: stop.signal,
    });

    expect(error?.code).toBe("RUN_INTERRUPTED");
    await expect.poll(() => results[0]?.error?.error).toBe("cancelled");
    expect(results[0]?.items[0]).toMatchObject({ status: "success" });
  });

  test("events can be read while it works and afterwards", async () => {
    const run = new Codegen({ session, model: dictated(files(DONE)) }).run({
      outputContract: SUMMARY,
      instruction: "x",
    });
    const seen: CodegenEvent[] = [];
    for await (const event of run) seen.push(event);

    expect(seen).toEqual(run.events);
    expect(seen.at(-1)).toMatchObject({ type: "codegen-ended", result: { runId: run.runId, ok: true } });
  });
});

import { afterEach, expect, test } from "vitest";
import { z } from "zod";

import { codegenTool, type CodegenToolOptions } from "../../../src/codegen/index.js";
import { openContext } from "../../../src/context/index.js";
import { messageText } from "../../../src/model/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { all, calls, complete, decide, maps, play, REPORT, scripted } from "../../unit/turn-loop/turns.js";
import { dictated, files } from "../codegen/programs.js";

const search = functionTool({
  name: "web_search",
  description: "Searches the web.",
  input: z.object({ query: z.string() }),
  hints: { readOnly: true },
  run: ({ query }) => [1, 2].map((rank) => ({ title: query, url: `https://${query}-${String(rank)}.example/` })),
});

const opened: Session[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()));
});

/** A session whose `codegen_python` has this program written. */
async function openWith(code: string, options: Partial<CodegenToolOptions> = {}) {
  const session = await Session.open({ storage: memoryStorage(), tools: [search], timeout: null });
  opened.push(session);
  const context = await openContext({ storage: memoryStorage(), id: "talk" });
  const { fetch: fetchContext, workSoFar, knownSources } = context;
  const writer = dictated(files(code));
  session.tools.register(
    codegenTool({ session, model: writer, repairs: 0, fetchContext, workSoFar, knownSources, ...options }),
  );
  return { session, context, writer };
}

const program = decide("call_tool", "exploit", {
  tool_call: { tool_id: "codegen_python", params: { output_contract: REPORT, instruction: "Do it." } },
});

test("texts of a program cite the context's sources and its own by one count (G93)", async () => {
  const code = [
    'known = ctx_tools.fetch_ctx("sources_pool[2]")["ret"][0]["url"]',
    'new = ctx_tools.merge_sources([web_search(query="inner")])[1]',
    "text = f\"{known} [[S:2]] {new['url']} [[S:{new['sid']}]]\"",
    'set_progress(artifact={"name": "report", "type": "inline", "value": text})',
    "done()",
  ].join("\n");
  const { session, context, writer } = await openWith(code);
  const model = scripted("model", calls("web_search", { query: "outer" }, "hits"), program, complete(maps("report")));

  const { result } = await play({ session, context, model });

  const slot = result.slots.get("report");
  expect(slot?.text).toBe("https://outer-2.example/ [[S:2]] https://inner-2.example/ [[S:4]]");
  expect(slot?.sids).toEqual([2, 4]);
  expect(context.sources.map(({ sid, url }) => [sid, url])).toEqual([
    [1, "https://outer-1.example/"],
    [2, "https://outer-2.example/"],
    [3, "https://inner-1.example/"],
    [4, "https://inner-2.example/"],
  ]);
  // What nobody gave to the program is shown to its writer where it was found, and not once more.
  expect((writer.requests[0]?.messages ?? []).map(messageText).join("\n")).not.toContain("## Sources");
});

test("what becomes of a program is told among the events of the turn, below its call (G14, G49)", async () => {
  const code = [
    'web_search(query="inner")',
    'set_progress(story_append="Searched.", artifact={"name": "report", "type": "inline", "value": "all"})',
    "done()",
  ].join("\n");
  const { session, context } = await openWith(code);

  const { events } = await play({ session, context, model: scripted("model", program, complete(maps("report"))) });

  const told = all(events, "program");
  expect(told.map(({ news }) => news.kind)).toEqual([
    "begun", "writing", "text", "written", "running", "handed-in", "progress", "progress", "ran", "slot", "ended",
  ]); // prettier-ignore
  expect(told.find(({ news }) => news.kind === "progress")).toMatchObject({ step: 1, news: { story: ["Searched."] } });
  const [call, ended] = all(events, "call").filter(({ entry }) => entry.name === "codegen_python");
  expect(told[0]).toMatchObject({ parentId: call?.id, step: 1 });
  // The calls of the program are told once each, as those of the turn.
  const inner = all(events, "call").filter(({ entry }) => entry.name === "web_search");
  expect(inner.map(({ parentId, entry }) => [parentId, entry.outcome.kind])).toEqual([
    [call?.id, "pending"],
    [call?.id, "ok"],
  ]);
  expect(ended?.entry.outcome.kind).toBe("ok");
});

test("what a program had made when a stop ended the turn is in the context (G62)", async () => {
  const stop = new AbortController();
  const code = [
    'set_progress(artifact={"name": "report", "type": "inline", "value": "so far"}, status="Waiting")',
    "while True: await asyncio.sleep(0.01)",
  ].join("\n");
  const { session, context } = await openWith(code, {
    onEvent: ({ type }) => {
      if (type === "progress") stop.abort();
    },
  });

  const { result, events } = await play({ session, context, model: scripted("model", program), signal: stop.signal });

  expect(result.exit).toBe("cancelled");
  expect(context.currentTurn?.artifacts).toMatchObject([{ id: "report", text: "so far", error: null }]);
  expect(context.currentTurn?.record.rounds).toMatchObject([{ toolId: "codegen_python", artifacts: ["report@1"] }]);
  expect(events.filter(({ type }) => type === "artifact-made")).toHaveLength(1);
});

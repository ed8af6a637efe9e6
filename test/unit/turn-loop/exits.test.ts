import { expect, test } from "vitest";
import { z } from "zod";

import { messageText } from "../../../src/model/index.js";
import { isRecord } from "../../../src/protocol/index.js";
import { functionTool } from "../../../src/tools/index.js";
import { all, calls, complete, decide, maps, play, scripted, turnSession } from "./turns.js";

const write = functionTool({
  name: "write",
  description: "Writes a text.",
  input: z.object({ content: z.string() }),
  hints: { readOnly: true },
  run: ({ content }) => ({ content: `# ${content}` }),
});
const session = turnSession([write]);

const FILE = { report: { type: "file", mime: "text/markdown", filename_hint: "report.md", description: "" } };

test("a decision that cannot be read is asked for again, whatever it says for the user", async () => {
  const searching = calls("write", { content: "x" }, "text", { completion_summary: "Searching.", map_slots: "all" });
  const done = complete({ map_slots: "all" });
  const model = scripted("model", searching, done, calls("write", { content: "x" }, "text"), complete(maps("text")));

  const { result } = await play({ session, model });

  expect(result).toMatchObject({ exit: "complete", completion: "It is done.", usage: { toolCalls: 1 } });
});

test("what a call makes may be said by name alone", async () => {
  const names = decide("call_tool", "exploit", {
    tool_call: { tool_id: "write", params: { content: "x" }, out_artifacts_spec: ["text"] },
  });

  const { result } = await play({ session, model: scripted("model", names, complete(maps("text.value.content"))) });

  expect(result.slots.get("report")?.text).toBe("# x");
});

test.each([
  ["decision_reruns_exhausted", ["Well…", "Hm.", "I cannot."]],
  ["decision_no_progress", [decide("decision", "explore")]],
  ["complete", [decide("complete", "exit")]],
])("a turn that promised words and ends as %s without any has failed", async (exit, says) => {
  const request = { prompt: "Hello!", contract: {} };

  const { result } = await play({ session, model: scripted("model", ...says), request });

  const error = exit === "complete" ? "no_completion" : exit;
  expect(result).toMatchObject({ exit, ok: false, status: "failed", completion: "", error: { error } });
  expect(result.envelope).toMatchObject({ ok: false, status: "failed", error: { error } });
});

test("a turn that promised words is left well with some, or with a question", async () => {
  const request = { prompt: "Hello!", contract: {} };
  const asks = decide("clarify", "exit", { clarification_questions: ["Which year?"] });

  const spoken = await play({ session, model: scripted("model", complete()), request });
  const asked = await play({ session, model: scripted("model", asks), request });

  expect(spoken.result).toMatchObject({ ok: true, status: "llm_only", error: null });
  expect(asked.result).toMatchObject({ exit: "clarify", ok: true, status: "llm_only", error: null });
});

test("the contract of a result is the caller's own, and the context keeps its", async () => {
  const { result, context } = await play({ session, model: scripted("model", complete()) });

  const kept = context.currentTurn?.record.contract;
  expect(result.envelope).toMatchObject({ contract: kept });
  expect(isRecord(result.envelope) ? result.envelope.contract : kept).not.toBe(kept);
});

test("the round for mapping is told why the last mapping was refused, and can mend it", async () => {
  const contract = FILE;
  const draft = { slot_name: "report", source_path: "current_turn.artifacts.text", draft: true };
  const model = scripted("model", calls("write", { content: "x" }, "text"), complete(maps("text")), decide("exit", "exit", { map_slots: [draft] })); // prettier-ignore

  const { result, events } = await play({ session, model, request: { prompt: "Sum it up.", contract } });

  expect(all(events, "mapping-refused")).toMatchObject([{ reason: "artifact_not_compatible_file" }]);
  const asked = model.requests[2]?.at(-1);
  expect(asked === undefined ? "" : messageText(asked)).toMatch(
    /report refused: artifact_not_compatible_file\. The slot wants a file[^]*open slots: report/,
  );
  expect(result).toMatchObject({ exit: "complete", ok: true });
});

test("a name that is cleaned is what the round makes as well, with an older version of it and without (G75)", async () => {
  const makes = (content: string, more = {}) => calls("write", { content }, "my-report.md", more);
  const map = maps("my_report_md");
  const model = scripted("model", makes("first", map), makes("second", map), complete(map));

  const { result, events } = await play({ session, model });

  expect(all(events, "mapping-refused").map(({ reason }) => reason)).toEqual(["future_artifact", "future_artifact"]);
  expect(all(events, "slot-filled").map(({ slot }) => slot.text)).toEqual(['{\n  "content": "# second"\n}']);
  expect(result).toMatchObject({ ok: true });
});

import { describe, expect, test } from "vitest";

import { messageText } from "../../../../src/model/index.js";
import { askAgain } from "../../../../src/write-code/generation/ask-again.js";
import type { GeneratedText } from "../../../../src/write-code/generation/generated-file.js";
import { scriptedModel, scriptedWork, type ScriptedWork } from "../../../write-code/scripted-models.js";
import { fileRequest } from "../../../write-code/scripted-writing.js";
import { code, generate, unavailable } from "./generating.js";

describe("the model that wrote a text is asked once more", () => {
  const written = async (work: ScriptedWork): Promise<GeneratedText> => {
    const generated = await generate(work);
    if (generated.kind !== "text") throw new Error(generated.fault.message);
    return generated;
  };

  test("with what it was asked and said, and its telemetry goes on", async () => {
    const model = scriptedModel("B", code("x = "), code("x = 1"));
    const work = scriptedWork(
      { models: [scriptedModel("A", ""), model] },
      { strike: (text) => text.replaceAll("key", "***") },
    );
    const previous = await written(work);

    const again = await askAgain(previous, "Line 1 cannot be read (key).", "repair", fileRequest("a.py"), work);

    expect(again).toMatchObject({ kind: "text", text: "x = 1", model: "B" });
    expect(model.asked[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(model.asked[1]?.messages.slice(2).map(messageText)).toEqual([code("x = "), "Line 1 cannot be read (***)."]);
    expect(again.telemetry.attempts.map(({ role, model: name }) => `${role} ${name}`)).toEqual([
      "candidate A",
      "candidate B",
      "repair B",
    ]);
    expect(work.events).toContainEqual({
      type: "candidate-started",
      path: "a.py",
      candidate: 2,
      model: "B",
      role: "repair",
    });
  });

  test("and no more than once: a failure is the last word", async () => {
    const model = scriptedModel("A", code("x = "), unavailable());
    const work = scriptedWork({ models: [model] });
    const previous = await written(work);

    const again = await askAgain(previous, "Mend it.", "merge", fileRequest("a.py"), work);

    expect(again).toMatchObject({ kind: "failed", fault: { code: "GENERATION_FAILED" }, telemetry: { chosen: null } });
    expect(again.telemetry.attempts).toMatchObject([
      { failure: null },
      { role: "merge", failure: { code: "MODEL_SERVER" } },
    ]);
    expect(model.asked.length).toBe(2);
  });

  test("be it the fallback, which may be called like one of the others", async () => {
    const [model, fallback] = [scriptedModel("A", ""), scriptedModel("A", code("x = "), code("x = 1"))];
    const work = scriptedWork({ models: [model], fallback });
    const previous = await written(work);

    const again = await askAgain(previous, "Mend it.", "repair", fileRequest("a.py"), work);

    expect(again).toMatchObject({ kind: "text", text: "x = 1" });
    expect([model.asked.length, fallback.asked.length]).toEqual([1, 2]);
  });

  test("where it is still there", async () => {
    const previous = await written(scriptedWork({ models: [scriptedModel("A", code("x = 1"))] }));

    const again = await askAgain(previous, "Mend it.", "repair", fileRequest("a.py"), scriptedWork({ models: [] }));

    expect(again).toMatchObject({ kind: "failed", fault: { code: "GENERATION_FAILED" } });
  });
});

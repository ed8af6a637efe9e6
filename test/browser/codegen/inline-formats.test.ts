import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { generate } from "./programs.js";

let session: Session;

beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage() });
});
afterAll(() => session.close());

/** The items of a program that hands in these values, each a literal of Python, in these formats. */
async function itemsOf(made: readonly (readonly [format: string, value: string])[]) {
  const ids = made.map((_, index) => `a${String(index)}`);
  const contract = Object.fromEntries(
    made.map(([format], index) => [ids[index], { type: "inline", format, description: "" }]),
  );
  const sets = made.map(
    ([, value], index) => `set_progress(artifact={"${ids[index] ?? ""}": {"type": "inline", "value": ${value}}})`,
  );
  const { result } = await generate([...sets, "done()"].join("\n"), { session, contract });
  return result.items;
}

describe("the text of an inline artifact", () => {
  test("a dict or a list is no text of a format that is one (G43)", async () => {
    const formats = ["csv", "markdown", "html", "mermaid", "text", "url", "xml"];

    const items = await itemsOf(formats.map((format) => [format, '[{"a": 1, "b": 2}]']));

    for (const item of items) {
      expect(item).toMatchObject({ status: "error", output: null, error: { error: "artifact_invalid" } });
      expect(item.error?.description).toBe(`not_text: ${item.format ?? ""} is a text, and the value is a list`);
    }
  });

  test("of JSON is indented by two, of YAML in blocks, and keeps its value", async () => {
    const [json, yaml] = await itemsOf([
      ["json", '{"a": [1, {"b": "x: y"}]}'],
      ["yaml", '{"a": [1, {"b": "x: y"}]}'],
    ]);

    const value = { a: [1, { b: "x: y" }] };
    expect(json).toMatchObject({ status: "success", output: { value, text: JSON.stringify(value, null, 2) } });
    expect(yaml).toMatchObject({ status: "success", output: { value, text: 'a:\n  - 1\n  - b: "x: y"\n' } });
  });

  test("null and a string are JSON, a number is a text (G43)", async () => {
    const [nothing, word, number, missing] = await itemsOf([
      ["json", "None"],
      ["json", "'\"word\"'"],
      ["text", "42"],
      ["text", "None"],
    ]);

    expect(nothing).toMatchObject({ status: "success", output: { value: null, text: "null" } });
    expect(word).toMatchObject({ status: "success", output: { value: "word", text: '"word"' } });
    expect(number).toMatchObject({ status: "success", output: { text: "42" } });
    expect(missing).toMatchObject({ status: "error", error: { description: expect.stringMatching(/^no_value/) } });
  });
});

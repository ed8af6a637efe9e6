import { describe, expect, test } from "vitest";

import type { JsonSchema } from "../../../src/tools/index.js";
import { ElicitationForm, type FieldValue } from "../../../src/ui/state/questions/elicitation-form.js";

function formOf(properties: Record<string, JsonSchema>, required: readonly string[] = []): ElicitationForm {
  return new ElicitationForm({ type: "object", properties, required: [...required] });
}

/** A form of one field that holds this. */
function filled(schema: JsonSchema, value: FieldValue, isRequired = true): ElicitationForm {
  const form = formOf({ it: schema }, isRequired ? ["it"] : []);
  form.set("it", value);
  return form;
}

const friends = { type: "string", enum: ["ann", "bob"], enumNames: ["Ann", "Bob"] };
const instruments = { type: "array", items: { enum: ["lute", "harp", "drum"] }, minItems: 1, maxItems: 2 };

describe("a form that a server asks for", () => {
  test("has a field for each property, with its words and its default", () => {
    const form = formOf(
      {
        name: { type: "string", title: "Your name", description: "In full" },
        age: { type: "integer", default: 42 },
        agrees: { type: "boolean", default: true },
        friend: { ...friends, default: "bob" },
        hero: { type: "string", oneOf: [{ const: "h1", title: "Superman" }], default: "nobody" },
        plays: { ...instruments, default: ["harp", "kazoo"] },
      },
      ["name"],
    );

    expect(form.problem).toBe("");
    expect(form.fields.map(({ kind, label, isRequired }) => [kind, label, isRequired])).toEqual([
      ["text", "Your name", true],
      ["number", "age", false],
      ["boolean", "agrees", false],
      ["choice", "friend", false],
      ["choice", "hero", false],
      ["choices", "plays", false],
    ]);
    expect(form.fields[3]).toMatchObject({ options: [{ value: "ann", label: "Ann" }, { label: "Bob" }] });
    expect(form.content()).toEqual({ age: 42, agrees: true, friend: "bob", plays: ["harp"] });
    expect([...form.problems().keys()]).toEqual(["name"]);
  });

  test.each<[string, JsonSchema, FieldValue, unknown]>([
    ["a number", { type: "number", minimum: 0 }, " 2.5 ", 2.5],
    ["a whole number", { type: "integer" }, "7", 7],
    ["a date", { type: "string", format: "date" }, "2028-02-29", "2028-02-29"],
    ["an address", { type: "string", format: "uri" }, "https://example.org/a", "https://example.org/a"],
    ["a choice", friends, "ann", "ann"],
    ["choices", instruments, ["lute", "drum"], ["lute", "drum"]],
    ["characters of two halves", { type: "string", maxLength: 2 }, "😀😀", "😀😀"],
  ])("hands over %s", (_, schema, value, sent) => {
    const form = filled(schema, value);

    expect([...form.problems()]).toEqual([]);
    expect(form.content()).toEqual({ it: sent });
  });

  test.each<[string, JsonSchema, FieldValue, string]>([
    ["nothing", { type: "string" }, "", "Fill this in."],
    ["no choice", friends, "", "Choose one."],
    ["half a number", { type: "integer", minimum: 1, maximum: 9 }, "2.5", "Enter a whole number from 1 up to 9."],
    ["a number out of range", { type: "number", maximum: 9 }, "10", "Enter a number up to 9."],
    ["words for a number", { type: "number" }, "two", "Enter a number."],
    ["blanks for a number", { type: "number" }, "  ", "Enter a number."],
    ["no address of a person", { type: "string", format: "email" }, "ada", "Enter an e-mail address"],
    ["half an address", { type: "string", format: "uri" }, "example.org", "Enter a whole address"],
    ["a day that is none", { type: "string", format: "date" }, "2026-02-30", "Enter a date"],
    ["too few characters", { type: "string", minLength: 3 }, "ab", "Write at least 3 characters."],
    ["too many characters", { type: "string", maxLength: 2 }, "abc", "Write at most 2 characters; these are 3."],
    ["too few choices", instruments, [], "Choose at least 1."],
    ["too many choices", instruments, ["lute", "harp", "drum"], "Choose at most 2."],
  ])("says what is wrong with %s", (_, schema, value, problem) => {
    expect(filled(schema, value).problems().get("it")).toContain(problem);
  });

  test("leaves out what is optional and empty", () => {
    expect(filled({ type: "number" }, "", false).content()).toEqual({});
    expect(filled(instruments, [], false).content()).toEqual({});
    expect([...filled(friends, "", false).problems()]).toEqual([]);
  });

  test("hands over a date and time with the zone that the page has", () => {
    const form = formOf({ at: { type: "string", format: "date-time", default: "2026-02-03T04:05:00Z" } }, ["at"]);

    expect(form.content()).toEqual({ at: "2026-02-03T04:05:00.000Z" });
  });

  test.each<[string, JsonSchema]>([
    ["objects inside", { type: "object", properties: { a: { type: "object" } } }],
    ["nothing it says of", { type: "object", properties: { a: true as never } }],
    [
      "more fields than a person looks through",
      { type: "object", properties: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, { type: "string" }])) },
    ],
    [
      "more choices than a person looks through",
      { type: "object", properties: { a: { type: "string", enum: Array.from({ length: 201 }, (_, n) => String(n)) } } },
    ],
  ])("with %s is not shown, and says why", (_, schema) => {
    const form = new ElicitationForm(schema);

    expect(form.fields).toEqual([]);
    expect(form.problem).not.toBe("");
  });
});

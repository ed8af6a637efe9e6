import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { z } from "zod";

import type { Value } from "../../../src/protocol/index.js";
import type { JsonSchema } from "../../../src/tools/index.js";
import { SchemaValidator } from "../../../src/tools/schema/schema-validator.js";

const folder = new URL("../../json-schema-suite/draft2020-12/", import.meta.url);

const Suite = z.array(
  z.object({
    description: z.string(),
    schema: z.custom<JsonSchema | boolean>(),
    tests: z.array(z.object({ description: z.string(), data: z.custom<Value>(), valid: z.boolean() })),
  }),
);

const REMOTE = "the draft's own schema would have to be loaded from elsewhere";
const DYNAMIC = "$dynamicRef is not followed";

/** What is not accepted, and why. */
const notAccepted = new Map([
  ["defs.json: validate definition against metaschema", REMOTE],
  ["ref.json: remote ref, containing refs itself", REMOTE],
  ["unevaluatedItems.json: unevaluatedItems with $dynamicRef", DYNAMIC],
  ["unevaluatedProperties.json: unevaluatedProperties with $dynamicRef", DYNAMIC],
  [
    "ref.json: order of evaluation: $id and $anchor and $ref",
    "an $anchor inside of a schema that has an $id of its own and is referred to by that $id is looked for at the root",
  ],
]);

const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

test("the files of the suite are there, and each exception names a group of them", () => {
  const groups = new Set(files.flatMap((file) => groupsOf(file).map(({ description }) => `${file}: ${description}`)));

  expect(files).toHaveLength(43);
  expect([...notAccepted.keys()].filter((name) => !groups.has(name))).toEqual([]);
});

const accepted = files
  .flatMap((file) => groupsOf(file).map((group) => ({ ...group, name: `${file}: ${group.description}` })))
  .filter(({ name }) => !notAccepted.has(name));

describe("the required tests of JSON Schema, draft 2020-12", () => {
  test.each(accepted)("$name", async ({ schema, tests }) => {
    const validator = await SchemaValidator.of(schema);

    const found = tests.map(({ description, data }) => ({ description, valid: validator.check(data) === undefined }));

    expect(found).toEqual(tests.map(({ description, valid }) => ({ description, valid })));
  });
});

function groupsOf(file: string): z.infer<typeof Suite> {
  return Suite.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
}

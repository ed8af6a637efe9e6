import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { installed, publicDocuments, readDocument } from "../../../bench/tokens/documents.js";
import { recallText, tokenTable } from "../../../bench/tokens/main.js";
import { openapiTool } from "../../../bench/tokens/openapi-tool.js";
import { promptTokens, singleTools } from "../../../bench/tokens/prompts.js";
import { measureRecall, Queries, unanswerable } from "../../../bench/tokens/recall.js";

const [document] = publicDocuments.filter(({ name }) => name === "readme");
const readme = await openapiTool("readme", readDocument(document!));
const queries = Queries.parse(
  JSON.parse(readFileSync(new URL("../../../bench/tokens/queries.json", import.meta.url), "utf8")),
);

test("with many tools the whole prompt stays below 900 tokens, and far below function calling", () => {
  const few = promptTokens("10 tools", singleTools([readme], 10));
  const many = promptTokens("2,500 tools", singleTools([readme], 2500));

  expect(few.callables).toBe(10);
  expect(many.prompt).toBeLessThanOrEqual(900);
  expect(many.functionCalling).toBeGreaterThan(100 * many.prompt);
  expect(tokenTable([few, many]).split("\n")).toHaveLength(4);
});

test("tools.search finds most of what the questions about a document mean", async () => {
  const asked = queries.filter(({ namespace }) => namespace === "readme");

  const recall = await measureRecall([readme], asked);

  expect(recall.at10).toBe(asked.length);
  expect(recallText(recall)).toContain("recall@10 1.00");
});

test("there are fifty questions, and each is answered by an operation of its document", async () => {
  const there = publicDocuments.filter((one) => installed(one) !== undefined);
  const tools = await Promise.all(there.map((one) => openapiTool(one.name, readDocument(one))));
  const asked = queries.filter(({ namespace }) => tools.some(({ name }) => name === namespace));

  expect(queries).toHaveLength(50);
  expect(unanswerable(tools, asked)).toEqual([]);
});

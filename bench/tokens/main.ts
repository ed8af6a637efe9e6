import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { format } from "oxfmt";

import type { Tool } from "../../src/tools/index.js";
import { publicDocuments, readDocument } from "./documents.js";
import { openapiTool } from "./openapi-tool.js";
import { promptTokens, singleTools, type PromptTokens } from "./prompts.js";
import { measureRecall, Queries, unanswerable, type Recall } from "./recall.js";

const COUNTS = [10, 100, 2500, 10_000];

const page = new URL("../../docs/tokens.md", import.meta.url);
const BEGIN = "<!-- begin: written by npm run tokens -- --write-docs -->";
const END = "<!-- end -->";

/** @returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const documents: { title: string; tool: Tool }[] = [];
  for (const document of publicDocuments) {
    documents.push({ title: document.title, tool: await openapiTool(document.name, readDocument(document)) });
  }
  const tools = documents.map(({ tool }) => tool);
  const queries = Queries.parse(JSON.parse(readFileSync(new URL("./queries.json", import.meta.url), "utf8")));
  const wrong = unanswerable(tools, queries);
  if (wrong.length > 0) throw new Error(`queries.json names operations that are in no document: ${wrong.join(", ")}`);
  const rows = [
    ...COUNTS.map((count) => promptTokens(`${count.toLocaleString("en-US")} tools`, singleTools(tools, count))),
    ...documents.map(({ title, tool }) => promptTokens(title, [tool])),
    promptTokens("all three documents, twice", [
      ...tools,
      ...tools.map((tool) => ({ ...tool, name: `${tool.name}_2` })),
    ]),
  ];
  const text = [tokenTable(rows), "", recallText(await measureRecall(tools, queries))].join("\n");
  console.log(text);
  if (args.includes("--write-docs")) await writeDocs(text);
  return 0;
}

export function tokenTable(rows: readonly PromptTokens[]): string {
  const number = (value: number): string => value.toLocaleString("en-US");
  return [
    "| tools | callables | function calling | stubs | section of the prompt | whole system prompt |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows.map(
      ({ what, callables, functionCalling, stubs, section, prompt }) =>
        `| ${what} | ${[callables, functionCalling, stubs, section, prompt].map(number).join(" | ")} |`,
    ),
  ].join("\n");
}

export function recallText({ queries, at10, at5, at1, missed }: Recall): string {
  const share = (found: number): string => `${String(found)} of ${String(queries)}`;
  const found = `Of ${String(queries)} questions, \`tools.search\` has an operation that answers among the first ten for ${share(at10)} (recall@10 ${(at10 / queries).toFixed(2)}), among the first five for ${share(at5)}, and at the first place for ${share(at1)}.`;
  if (missed.length === 0) return found;
  const list = missed.map(
    ({ query, namespace, operations }) => `- “${query}”: ${namespace}.${operations.join(" or ")}`,
  );
  return [found, "", "Not among the first ten:", "", ...list].join("\n");
}

async function writeDocs(text: string): Promise<void> {
  const old = readFileSync(page, "utf8");
  const start = old.indexOf(BEGIN) + BEGIN.length;
  const end = old.indexOf(END, start);
  if (start < BEGIN.length || end < 0) throw new Error("docs/tokens.md has no place for the table.");
  const { code, errors } = await format(fileURLToPath(page), `${old.slice(0, start)}\n\n${text}\n\n${old.slice(end)}`);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  writeFileSync(page, code);
}

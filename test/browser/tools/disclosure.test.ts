import { afterAll, beforeAll, expect, test } from "vitest";

import {
  functionTool,
  memoryStorage,
  Session,
  type CallProgress,
  type JsonSchema,
  type ToolAdapter,
} from "../../../src/index.js";

const filter: JsonSchema = {
  type: "object",
  properties: { filter: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
  required: ["filter"],
};

/** One tool with more callables than Python is told of at once. */
const shop: ToolAdapter = {
  tool: {
    name: "big-shop",
    description: "Everything of a shop",
    tags: [],
    hints: { readOnly: true },
    timeout: 1000,
    callables: Array.from({ length: 60 }, (_, index) => ({
      name: index === 55 ? "find-customers" : `thing_${String(index)}`,
      description: index === 55 ? "Looks customers up" : "Some thing",
      parameters: [
        {
          name: "filter",
          type: "object",
          required: true,
          description: "Which",
          schema: filter.properties?.filter ?? {},
        },
      ],
      inputSchema: filter,
    })),
  },
  call: (callable, args) => Promise.resolve([callable, args.filter]),
};

const counting = functionTool({
  name: "counting",
  description: "Counts",
  input: { type: "object", properties: { to: { type: "integer" } }, required: ["to"] },
  run: async function* ({ to }) {
    await Promise.resolve();
    for (let count = 1; count <= to; count += 1) yield count;
    return undefined;
  },
});

let session: Session;

beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage(), trust: "local", tools: [shop, counting] });
});
afterAll(async () => {
  await session.close();
});

test("an operation of a large tool is found by words, called by its alias, and explained on demand", async () => {
  const { value, stdout, error } = await session.run(
    [
      'hit = tools.search("look up a customer")[0]',
      "help(tools.big_shop.find_customers)",
      'called = tools.big_shop.find_customers(filter={"name": "Ada"})',
      "[hit.name, hit.callables[0].signature(), called, tools.big_shop.find_customers.signature(), len(tools.big_shop.list())]",
    ].join("\n"),
  );

  expect(error).toBeNull();
  expect(value).toEqual([
    "big-shop.find-customers",
    "tools.big_shop.find_customers(*, filter: dict[str, Any])",
    ["find-customers", { name: "Ada" }],
    "find_customers(*, filter: dict[str, Any])\n\nclass FindCustomersFilter(TypedDict):\n    name: str",
    60,
  ]);
  expect(stdout).toContain("def find_customers(*, filter: FindCustomersFilter) -> Any:");
  expect(stdout).toContain("Looks customers up");
});

test("an argument that does not fit its schema is refused with its place before anything is called", async () => {
  const { error } = await session.run('tools.big_shop.thing_1(filter={"name": 5})');

  expect(error?.pythonType).toBe("ToolArgumentError");
  expect(error?.message).toContain("Parameter 'filter.name' must be a string, not int 5");
});

test("a generator's pieces are heard by the page while the call is under way", async () => {
  const heard: CallProgress[] = [];

  const { value } = await session.run("tools.counting(to=3)", { onCallProgress: (progress) => heard.push(progress) });

  expect(value).toEqual([1, 2, 3]);
  expect(heard.map(({ name, piece }) => [name, piece])).toEqual([
    ["counting", 1],
    ["counting", 2],
    ["counting", 3],
  ]);
});

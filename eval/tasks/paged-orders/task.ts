import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { exactly, jsonFile } from "../../checks.js";
import { choice, numbers } from "../../data.js";
import type { EvalTask } from "../../task.js";

const random = numbers(11);
const orders = Array.from({ length: 47 }, (_, index) => ({
  id: `A-${String(1001 + index)}`,
  status: choice(["paid", "open", "paid", "cancelled"], random),
  total: Math.round(random() * 40_000) / 100,
}));
const PAGE = 10;

const paid = orders.filter(({ status }) => status === "paid");
const euro = (list: typeof orders): number => list.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100;
const largest = paid.toSorted((a, b) => b.total - a.total).slice(0, 5);
const largestIds = largest.map(({ id }) => id);

export const pagedOrders: EvalTask = {
  name: "paged-orders",
  level: 3,
  prompt: "The tool orders gives orders page by page. What do all paid orders come to together?",
  world: () => ({
    tools: [
      functionTool({
        name: "orders",
        description:
          "One page of orders: {items: [{id, status, total}], next}. next is the cursor of the following page, null on the last.",
        input: z.object({ cursor: z.string().default("").describe("Empty for the first page.") }),
        hints: { readOnly: true },
        run: ({ cursor }) => {
          const start = cursor === "" ? 0 : Number.parseInt(cursor.replace("c", ""), 36);
          const end = start + PAGE;
          return { items: orders.slice(start, end), next: end < orders.length ? `c${end.toString(36)}` : null };
        },
      }),
    ],
  }),
  answer: {
    format: "json",
    description: "the sum of their totals, a number with two decimals",
    is: exactly(euro(paid), 0.001),
  },
  artifacts: {
    "largest.json": {
      mime: "application/json",
      description: "a list of the ids of the five largest paid orders, largest first",
      is: jsonFile(exactly(largestIds)),
    },
  },
  correct: { answer: euro(paid), artifacts: { "largest.json": JSON.stringify(largestIds) } },
  wrong: [
    {
      mistake: "only the first page",
      part: "answer",
      outcome: { answer: euro(orders.slice(0, PAGE).filter(({ status }) => status === "paid")) },
    },
    {
      mistake: "cancelled orders too",
      part: "answer",
      outcome: { answer: euro(orders.filter(({ status }) => status !== "open")) },
    },
    {
      mistake: "the smallest of the five first",
      part: "artifact",
      outcome: { artifacts: { "largest.json": JSON.stringify(largestIds.toReversed()) } },
    },
  ],
};

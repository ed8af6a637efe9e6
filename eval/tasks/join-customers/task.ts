import { z } from "zod";

import { csvFile, csvText, exactly } from "../../checks.js";
import { readCsv } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import customers from "./customers.csv?raw";
import orders from "./orders.json?raw";

const list = z
  .array(z.object({ order: z.number(), customer: z.string(), amount: z.string(), state: z.string() }))
  .parse(JSON.parse(orders));
const paid = list
  .filter(({ state }) => state === "paid")
  .map((order) => ({ ...order, customer: order.customer.trim().toUpperCase() }));
const known = readCsv(customers.replaceAll(";", ","));

const joined = known.map(({ customer_id: id = "", name = "", country = "" }) => {
  const own = paid.filter(({ customer }) => customer === id);
  return {
    name,
    country,
    orders: own.length,
    cents: own.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0),
  };
});
const ranked = joined.toSorted((a, b) => b.cents - a.cents || (a.name < b.name ? -1 : 1));
const rows = (those: typeof joined): (string | number)[][] => [
  ["name", "country", "orders", "paid"],
  ...those.map(({ name, country, orders: count, cents }) => [name, country, count, (cents / 100).toFixed(2)]),
];
const unknown = paid
  .filter(({ customer }) => !known.some(({ customer_id: id }) => id === customer))
  .map(({ order }) => order);

export const joinCustomers: EvalTask = {
  name: "join-customers",
  level: 3,
  prompt:
    "Join the customers of /workspace/customers.csv (separated by semicolons) with the paid orders of /workspace/orders.json. " +
    "Case and blanks of a customer's number do not matter. Which paid orders belong to nobody?",
  files: { "customers.csv": customers, "orders.json": orders },
  answer: {
    format: "json",
    description: "a list of the numbers of these orders, smallest first",
    is: exactly(unknown),
  },
  artifacts: {
    "paid.csv": {
      mime: "text/csv",
      description:
        "columns name,country,orders,paid: every customer, also those without a paid order (0 and 0.00); paid with two " +
        "decimals, highest first, then by name",
      is: csvFile(rows(ranked)),
    },
  },
  correct: { answer: unknown, artifacts: { "paid.csv": csvText(rows(ranked)) } },
  wrong: [
    wrongAnswer("numbers compared with case and blanks", [501, 503, 507, 508]),
    wrongArtifact(
      "customers without orders left out",
      "paid.csv",
      csvText(rows(ranked.filter(({ orders: count }) => count > 0))),
    ),
    wrongArtifact("refunds counted as paid", "paid.csv", csvText(rows(ranked)).replace("DE,1,1250.00", "DE,2,1325.25")),
  ],
};

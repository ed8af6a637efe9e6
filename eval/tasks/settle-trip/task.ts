import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { csvFile, csvText, exactly, jsonFile } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const expenses = [
  { day: "2026-05-02", payer: "Ada", amount: 4200, currency: "NOK", shares: ["Ada", "Bo", "Cem"] },
  { day: "2026-05-03", payer: "Bo", amount: 96, currency: "EUR", shares: ["Ada", "Bo", "Cem", "Dora"] },
  { day: "2026-05-03", payer: "Dora", amount: 1850, currency: "SEK", shares: ["Bo", "Dora"] },
  { day: "2026-05-05", payer: "Ada", amount: 310, currency: "NOK", shares: ["Cem", "Dora"] },
  { day: "2026-05-06", payer: "Cem", amount: 121, currency: "EUR", shares: ["Ada", "Bo", "Cem", "Dora"] },
  { day: "2026-05-07", payer: "Dora", amount: 640, currency: "DKK", shares: ["Ada", "Bo", "Cem", "Dora"] },
];
const rates: Readonly<Record<string, number>> = {
  "NOK 2026-05-02": 0.0852,
  "NOK 2026-05-05": 0.0861,
  "SEK 2026-05-03": 0.0896,
  "DKK 2026-05-07": 0.134,
};
const people = ["Ada", "Bo", "Cem", "Dora"];

/** In cents. What does not divide evenly goes, a cent each, to the first by alphabet. */
function balances(rateOf: (expense: (typeof expenses)[number]) => number): Record<string, number> {
  const balance: Record<string, number> = Object.fromEntries(people.map((name) => [name, 0]));
  for (const expense of expenses) {
    const cents = Math.round(expense.amount * rateOf(expense) * 100);
    const { payer, shares } = expense;
    balance[payer] = (balance[payer] ?? 0) + cents;
    shares.toSorted().forEach((name, index) => {
      const share = Math.floor(cents / shares.length) + (index < cents % shares.length ? 1 : 0);
      balance[name] = (balance[name] ?? 0) - share;
    });
  }
  return balance;
}

/** The largest debtor pays the largest creditor, until nobody owes anything; equal ones by alphabet. */
function settle(start: Readonly<Record<string, number>>): (string | number)[][] {
  const balance = { ...start };
  const payments: (string | number)[][] = [["from", "to", "eur"]];
  for (;;) {
    const ranked = people.toSorted((a, b) => (balance[a] ?? 0) - (balance[b] ?? 0) || (a < b ? -1 : 1));
    const [from = ""] = ranked;
    const to = people.toSorted((a, b) => (balance[b] ?? 0) - (balance[a] ?? 0) || (a < b ? -1 : 1))[0] ?? "";
    const cents = Math.min(-(balance[from] ?? 0), balance[to] ?? 0);
    if (cents <= 0) return payments;
    balance[from] = (balance[from] ?? 0) + cents;
    balance[to] = (balance[to] ?? 0) - cents;
    payments.push([from, to, (cents / 100).toFixed(2)]);
  }
}

const right = balances(({ currency, day }) => (currency === "EUR" ? 1 : (rates[`${currency} ${day}`] ?? NaN)));
const firstRates = balances(({ currency }) =>
  currency === "EUR" ? 1 : (Object.entries(rates).find(([key]) => key.startsWith(currency))?.[1] ?? NaN),
);
const euro = (balance: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(balance).map(([name, cents]) => [name, cents / 100]));
const largest = people.reduce((a, b) => ((right[b] ?? 0) > (right[a] ?? 0) ? b : a));

export const settleTrip: EvalTask = {
  name: "settle-trip",
  level: 4,
  prompt:
    "Four people shared the expenses of /workspace/expenses.json. Turn each into EUR at the rate of its day (tool rate) and round " +
    "to the cent. It is split evenly among its shares; cents that do not divide go one each to the first of them by alphabet. " +
    "Then settle: whoever owes most pays whoever is owed most, as much as both allow, until nobody owes anything (equal ones by " +
    "alphabet). Who is owed most?",
  files: { "expenses.json": `${JSON.stringify(expenses, null, 1)}\n` },
  world: () => ({
    tools: [
      functionTool({
        name: "rate",
        description: "How many EUR one unit of a currency was worth on a day.",
        input: z.object({ currency: z.string().describe("NOK, SEK or DKK"), day: z.string().describe("YYYY-MM-DD") }),
        hints: { readOnly: true },
        run: ({ currency, day }) => {
          const found = rates[`${currency} ${day}`];
          if (found === undefined) throw new Error(`There is no rate of ${currency} on ${day}.`);
          return found;
        },
      }),
    ],
  }),
  answer: { format: "text", description: "the name of that person", is: exactly(largest) },
  artifacts: {
    "balances.json": {
      mime: "application/json",
      description: "{name: EUR paid minus EUR owed}, numbers with two decimals",
      is: jsonFile(exactly(euro(right), 0.001)),
    },
    "payments.csv": {
      mime: "text/csv",
      description: "columns from,to,eur in their order, two decimals",
      is: csvFile(settle(right)),
    },
  },
  correct: {
    answer: largest,
    artifacts: { "balances.json": JSON.stringify(euro(right)), "payments.csv": csvText(settle(right)) },
  },
  wrong: [
    wrongAnswer("who paid the largest sum of units", "Dora"),
    wrongArtifact("one rate for a currency, whatever the day", "balances.json", JSON.stringify(euro(firstRates))),
    wrongArtifact("everybody pays everybody's share by alphabet", "payments.csv", csvText(settle(right).toSorted())),
  ],
};

import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { csvFile, csvText, exactly, markdownFile, markdownTable, type Json } from "../../checks.js";
import { between, numbers } from "../../data.js";
import { wrongAnswer, wrongArtifact, wrongEffects, type EvalTask } from "../../task.js";

const random = numbers(77);
const sites = ["hall", "harbour", "old-mill", "station"];
const skus = ["LMP-01", "LMP-02", "CHR-01", "CHR-02", "DSK-01", "SHF-01", "SHF-02", "RUG-01"];
/** The old mill is closed; its stock cannot be asked. */
const stock = Object.fromEntries(
  sites
    .filter((site) => site !== "old-mill")
    .map((site) => [site, Object.fromEntries(skus.map((sku) => [sku, between(0, 9, random)]))]),
);
const products = skus.map((sku) => ({
  sku,
  minimum: between(10, 24, random),
  supplier: ["sup-a", "sup-b"][between(0, 1, random)] ?? "",
}));
const offers = skus.map((sku) => ({ sku, pack: between(2, 6, random), price: between(800, 9000, random) / 100 }));
const discounts: Readonly<Record<string, { from: number; percent: number }>> = {
  "sup-a": { from: 500, percent: 5 },
  "sup-b": { from: 300, percent: 8 },
};

interface Line {
  readonly supplier: string;
  readonly sku: string;
  readonly missing: number;
  readonly packs: number;
  readonly cents: number;
}

function plan(
  sitesAsked: readonly string[],
  packing: (missing: number, pack: number) => number = (missing, pack) => Math.ceil(missing / pack),
): Line[] {
  return products
    .map(({ sku, minimum, supplier }): Line => {
      const there = sitesAsked.reduce((sum, site) => sum + (stock[site]?.[sku] ?? 0), 0);
      const { pack, price } = offers.find((offer) => offer.sku === sku) ?? { pack: 1, price: 0 };
      const missing = Math.max(0, minimum - there);
      const packs = packing(missing, pack);
      return { supplier, sku, missing, packs, cents: packs * Math.round(price * 100) };
    })
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => (a.supplier + a.sku < b.supplier + b.sku ? -1 : 1));
}

const rows = (lines: readonly Line[]): (string | number)[][] => [
  ["supplier", "sku", "missing", "packs", "cost"],
  ...lines.map(({ supplier, sku, missing, packs, cents }) => [supplier, sku, missing, packs, (cents / 100).toFixed(2)]),
];

interface Sum {
  readonly supplier: string;
  readonly cents: number;
  readonly off: number;
}

function sums(lines: readonly Line[]): Sum[] {
  return Object.entries(discounts).map(([supplier, { from, percent }]) => {
    const cents = lines.filter((line) => line.supplier === supplier).reduce((sum, line) => sum + line.cents, 0);
    return { supplier, cents, off: cents >= from * 100 ? Math.round((cents * percent) / 100) : 0 };
  });
}

const confirmation = (supplier: string): string =>
  `${supplier.toUpperCase()}-2026-${supplier === "sup-a" ? "0117" : "0942"}`;
const summary = (lines: readonly Line[]): (string | number)[][] => [
  ["supplier", "goods", "discount", "to pay", "confirmation"],
  ...sums(lines).map(({ supplier, cents, off }) => [
    supplier,
    (cents / 100).toFixed(2),
    (off / 100).toFixed(2),
    ((cents - off) / 100).toFixed(2),
    confirmation(supplier),
  ]),
];
const orders = (lines: readonly Line[]): Json =>
  Object.keys(discounts).map((supplier) => ({
    supplier,
    lines: lines.filter((line) => line.supplier === supplier).map(({ sku, packs }) => ({ sku, packs })),
  }));
const lines = plan(sites);
const total = (those: readonly Line[]): number =>
  sums(those).reduce((sum, { cents, off }) => sum + cents - off, 0) / 100;
const answer = { to_pay: total(lines), not_counted: ["old-mill"] };
const readOnly = { readOnly: true };
const report = (those: readonly Line[]): string => markdownTable(summary(those));

export const restock: EvalTask = {
  name: "restock",
  level: 5,
  prompt:
    "Fill up the stock. For every product: what all sites have together, and how much is missing up to its minimum. A site that " +
    "does not answer is not counted. What is missing is ordered from the product's supplier in whole packs, just enough of them. " +
    "Place one order with each supplier, by the supplier's name, with its lines by sku; place it once, for it cannot be taken back. " +
    "From a certain sum on a supplier gives a discount on all goods of an order, rounded to the cent. What is to be paid in all?",
  world: () => {
    const placed: { supplier: string; lines: { sku: string; packs: number }[] }[] = [];
    return {
      tools: [
        functionTool({
          name: "list_sites",
          description: "The names of all sites.",
          input: z.object({}),
          hints: readOnly,
          run: () => [...sites],
        }),
        functionTool({
          name: "stock_of",
          description: "The stock of a site, as {sku: pieces}.",
          input: z.object({ site: z.string() }),
          hints: readOnly,
          run: ({ site }) => {
            const found = stock[site];
            if (found === undefined) throw new Error(`${site} does not answer.`);
            return found;
          },
        }),
        functionTool({
          name: "list_products",
          description: "All products, as [{sku, minimum, supplier}].",
          input: z.object({}),
          hints: readOnly,
          run: () => products.map((product) => ({ ...product })),
        }),
        functionTool({
          name: "offer_for",
          description: "What a supplier asks for a product, as {sku, pack, price}: pieces in a pack, EUR for a pack.",
          input: z.object({ supplier: z.string(), sku: z.string() }),
          hints: readOnly,
          run: ({ supplier, sku }) => {
            const offer = offers.find((each) => each.sku === sku);
            if (offer === undefined || products.find((each) => each.sku === sku)?.supplier !== supplier) {
              throw new Error(`${supplier} does not sell ${sku}.`);
            }
            return offer;
          },
        }),
        functionTool({
          name: "terms_of",
          description:
            "The discount of a supplier, as {from, percent}: from which sum of an order on in EUR, and how much.",
          input: z.object({ supplier: z.string() }),
          hints: readOnly,
          run: ({ supplier }) => {
            const terms = discounts[supplier];
            if (terms === undefined) throw new Error(`There is no supplier ${supplier}.`);
            return terms;
          },
        }),
        functionTool({
          name: "place_order",
          description: "Places an order with a supplier for good. Answers with the number of its confirmation.",
          input: z.object({
            supplier: z.string(),
            lines: z.array(z.object({ sku: z.string(), packs: z.int().positive() })).min(1),
          }),
          run: (order) => {
            placed.push(order);
            return confirmation(order.supplier);
          },
        }),
      ],
      effects: () => placed.map(({ supplier, lines: ordered }) => ({ supplier, lines: ordered })),
    };
  },
  answer: {
    format: "json",
    description: '{"to_pay": EUR with two decimals, "not_counted": [sites]}',
    is: exactly(answer, 0.001),
  },
  artifacts: {
    "orders.csv": {
      mime: "text/csv",
      description: "columns supplier,sku,missing,packs,cost (EUR before discount, two decimals) by supplier, then sku",
      is: csvFile(rows(lines)),
    },
    "orders.md": {
      mime: "text/markdown",
      description:
        "a table with the columns supplier, goods, discount, to pay (two decimals), confirmation, by supplier",
      is: markdownFile(summary(lines)),
    },
  },
  effects: exactly(orders(lines)),
  correct: {
    answer,
    artifacts: { "orders.csv": csvText(rows(lines)), "orders.md": report(lines) },
    effects: orders(lines),
  },
  wrong: [
    wrongAnswer("the discount forgotten", {
      ...answer,
      to_pay: sums(lines).reduce((sum, { cents }) => sum + cents, 0) / 100,
    }),
    wrongAnswer("nothing said of the site that does not answer", { ...answer, not_counted: [] }),
    wrongArtifact(
      "packs rounded down",
      "orders.csv",
      csvText(rows(plan(sites, (missing, pack) => Math.floor(missing / pack)))),
    ),
    wrongArtifact("one site left out", "orders.md", report(plan(sites.slice(1)))),
    wrongEffects("every order placed twice", [orders(lines), orders(lines)].flat()),
    wrongEffects("pieces ordered instead of packs", orders(lines.map((line) => ({ ...line, packs: line.missing })))),
  ],
};

import { z } from "zod";

import { exactly, jsonFile, type Json } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import catalog from "./catalog.json?raw";

const Product = z.object({
  sku: z.string(),
  label: z.string(),
  price: z.record(z.string(), z.number()),
  tags: z.array(z.string()),
});
const Catalog = z.object({
  departments: z.array(
    z.object({ title: z.string(), shelves: z.array(z.object({ code: z.string(), products: z.array(Product) })) }),
  ),
});

const bySku: Record<string, Json> = {};
const skusOf: Record<string, string[]> = {};
const withoutEuro: string[] = [];
for (const { title, shelves } of Catalog.parse(JSON.parse(catalog)).departments) {
  for (const { code, products } of shelves) {
    for (const { sku, label, price, tags } of products) {
      bySku[sku] = { label, place: `${title}/${code}`, eur: price.EUR ?? null };
      for (const tag of tags) (skusOf[tag] ??= []).push(sku);
      if (price.EUR === undefined) withoutEuro.push(sku);
    }
  }
}
const wanted = { products: bySku, tags: skusOf };

export const reshapeCatalog: EvalTask = {
  name: "reshape-catalog",
  level: 3,
  prompt: "Turn /workspace/catalog.json into an index of its products. Which products have no price in EUR?",
  files: { "catalog.json": catalog },
  answer: { format: "json", description: "a list of their skus in the order of the file", is: exactly(withoutEuro) },
  artifacts: {
    "index.json": {
      mime: "application/json",
      description:
        '{"products": {sku: {"label", "place": "<department>/<shelf code>", "eur": price or null}}, "tags": {tag: [skus in the ' +
        "order of the file]}}",
      is: jsonFile(exactly(wanted)),
    },
  },
  correct: { answer: withoutEuro, artifacts: { "index.json": JSON.stringify(wanted) } },
  wrong: [
    wrongAnswer("those without a price in USD", ["RKE-2", "BWL-4"]),
    wrongArtifact(
      "the product without EUR left out",
      "index.json",
      JSON.stringify({ ...wanted, products: { ...bySku, "PAN-3": undefined } }),
    ),
    wrongArtifact(
      "the price in USD in the place of the missing one",
      "index.json",
      JSON.stringify(wanted).replace("null", "41"),
    ),
  ],
};

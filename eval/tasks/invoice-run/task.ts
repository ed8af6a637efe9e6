import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { all, csvFile, csvText, exactly, jsonFile, textFile, type Json } from "../../checks.js";
import { between, groupBy, numbers } from "../../data.js";
import { wrongAnswer, wrongArtifact, wrongEffects, type EvalTask } from "../../task.js";

const random = numbers(2026);
const clients = [
  { id: "k1", name: "Hafen & Co", country: "DE", rate: 92, currency: "EUR", vatId: "DE811" },
  { id: "k2", name: "Northwind", country: "SE", rate: 1150, currency: "SEK", vatId: "SE556" },
  { id: "k3", name: "Olive Trade", country: "IT", rate: 88, currency: "EUR", vatId: "" },
  { id: "k4", name: "Lumen", country: "US", rate: 110, currency: "USD", vatId: "" },
  { id: "k5", name: "Baltic Wood", country: "EE", rate: 75, currency: "EUR", vatId: "EE100" },
];
const vat: Readonly<Record<string, number>> = { DE: 19, SE: 25, IT: 22, EE: 22 };
const euros: Readonly<Record<string, number>> = { EUR: 1, SEK: 0.0889, USD: 0.9214 };
const entries = Array.from({ length: 70 }, (_, n) => ({
  client: `k${String(between(1, 5, random))}`,
  day: `2026-${random() < 0.75 ? "03" : "04"}-${String(between(1, 28, random)).padStart(2, "0")}`,
  minutes: between(10, 240, random),
  billable: n % 9 !== 4,
}));
const PAGE = 25;

interface Invoice {
  readonly number: string;
  readonly client: string;
  readonly hours: number;
  readonly currency: string;
  /** In hundredths of the currency. */
  readonly net: number;
  readonly tax: number;
  readonly eur: number;
}

/** Quarters of an hour, begun ones counted, for each entry. */
function invoices(month: string, { whole = false, everywhere = false } = {}): Invoice[] {
  const own = groupBy(
    entries.filter(({ day, billable }) => billable && day.startsWith(month)),
    ({ client }) => client,
  );
  return clients
    .filter(({ id }) => own.has(id))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ id, name, rate, currency, country, vatId }, index) => {
      const list = own.get(id) ?? [];
      const minutes = list.reduce((sum, entry) => sum + entry.minutes, 0);
      const quarters = whole
        ? Math.ceil(minutes / 15)
        : list.reduce((sum, entry) => sum + Math.ceil(entry.minutes / 15), 0);
      const net = quarters * rate * 25;
      // Within the union a business with a number pays the tax itself; outside there is none.
      const percent = everywhere ? (vat[country] ?? 0) : country === "DE" || vatId === "" ? (vat[country] ?? 0) : 0;
      const tax = Math.round((net * percent) / 100);
      const eur = Math.round((net + tax) * (euros[currency] ?? NaN));
      return {
        number: `2026-03-${String(index + 1).padStart(3, "0")}`,
        client: name,
        hours: quarters / 4,
        currency,
        net,
        tax,
        eur,
      };
    });
}

const money = (hundredths: number): string => (hundredths / 100).toFixed(2);
const rows = (list: readonly Invoice[]): string[][] => [
  ["number", "client", "hours", "currency", "net", "vat", "gross", "gross_eur"],
  ...list.map(({ number, client, hours, currency, net, tax, eur }) => [
    number,
    client,
    hours.toFixed(2),
    currency,
    money(net),
    money(tax),
    money(net + tax),
    money(eur),
  ]),
];
const sent = (list: readonly Invoice[]): Json =>
  list.map(({ number, client, net, tax }) => ({
    number,
    client: clients.find(({ name }) => name === client)?.id ?? "",
    gross: (net + tax) / 100,
  }));
const right = invoices("2026-03");
const total = (list: readonly Invoice[]): number => list.reduce((sum, { eur }) => sum + eur, 0) / 100;
const ledger = (list: readonly Invoice[]): Json => ({
  month: "2026-03",
  invoices: list.length,
  vat: Object.fromEntries(
    [
      ...groupBy(
        list.filter(({ tax }) => tax > 0),
        ({ currency }) => currency,
      ),
    ].map(([currency, own]) => [currency, own.reduce((sum, { tax }) => sum + tax, 0) / 100]),
  ),
});
const readOnly = { readOnly: true };

export const invoiceRun: EvalTask = {
  name: "invoice-run",
  level: 5,
  prompt: `Make the invoices for March 2026.
- Only billable entries of that month count. Each entry is rounded up to quarters of an hour; hours times the client's rate is the net.
- VAT: clients in DE pay theirs. Clients elsewhere in the union (whose country has a rate) pay their country's if they have no VAT id, and none if they have one. Countries without a rate pay none. VAT is rounded to the cent (of the currency).
- One invoice for each client with hours, by the client's name, numbered 2026-03-001 and so on.
- Send each invoice once, in that order, with send_invoice.
- In EUR an invoice is its gross at the rate of its currency, rounded to the cent.
What do all invoices come to in EUR?`,
  world: () => {
    const outbox: { number: string; client: string; gross: number }[] = [];
    let isBusy = true;
    return {
      tools: [
        functionTool({
          name: "clients",
          description:
            "All clients, as [{id, name, country, rate, currency, vatId}]: rate is for an hour; vatId is empty without one.",
          input: z.object({}),
          hints: readOnly,
          run: () => clients.map((client) => ({ ...client })),
        }),
        functionTool({
          name: "time_entries",
          description:
            "Work, a page of it in no order, as {items: [{client, day, minutes, billable}], pages}: pages is how many there are.",
          input: z.object({ page: z.int().min(1) }),
          hints: readOnly,
          run: ({ page }) => ({
            items: entries.slice((page - 1) * PAGE, page * PAGE),
            pages: Math.ceil(entries.length / PAGE),
          }),
        }),
        functionTool({
          name: "vat_rate",
          description: "The VAT of a country in percent; null for one without.",
          input: z.object({ country: z.string() }),
          hints: readOnly,
          run: ({ country }) => vat[country] ?? null,
        }),
        functionTool({
          name: "euro_rate",
          description:
            "How many EUR one unit of a currency is worth. Its first call of a day may fail with BUSY; then it is called again.",
          input: z.object({ currency: z.string() }),
          hints: readOnly,
          run: ({ currency }) => {
            if (isBusy) {
              isBusy = false;
              throw new Error("BUSY");
            }
            const found = euros[currency];
            if (found === undefined) throw new Error(`There is no rate of ${currency}.`);
            return found;
          },
        }),
        functionTool({
          name: "send_invoice",
          description: "Sends an invoice to a client for good.",
          input: z.object({
            number: z.string(),
            client: z.string().describe("The client's id."),
            gross: z.number().describe("Net and VAT, in the client's currency."),
          }),
          run: (invoice) => {
            outbox.push(invoice);
            return "sent";
          },
        }),
      ],
      effects: () => outbox.map((invoice) => ({ ...invoice })),
    };
  },
  answer: { format: "json", description: "EUR, a number with two decimals", is: exactly(total(right), 0.001) },
  artifacts: {
    "invoices.csv": {
      mime: "text/csv",
      description:
        "columns number,client,hours,currency,net,vat,gross,gross_eur (client: the name; all figures with two decimals) by number",
      is: csvFile(rows(right)),
    },
    "ledger.json": {
      mime: "application/json",
      description:
        '{"month": "2026-03", "invoices": how many, "vat": {currency: VAT of all invoices in it}}, only currencies with VAT',
      is: all(
        textFile((text) => (text === "" ? "it is empty" : null)),
        jsonFile(exactly(ledger(right), 0.001)),
      ),
    },
  },
  effects: exactly(sent(right), 0.001),
  correct: {
    answer: total(right),
    artifacts: { "invoices.csv": csvText(rows(right)), "ledger.json": JSON.stringify(ledger(right)) },
    effects: sent(right),
  },
  wrong: [
    wrongAnswer("net amounts added up, whatever the currency", right.reduce((sum, { net }) => sum + net, 0) / 100),
    wrongArtifact(
      "minutes of a client rounded together",
      "invoices.csv",
      csvText(rows(invoices("2026-03", { whole: true }))),
    ),
    wrongArtifact(
      "VAT for those with a VAT id too",
      "ledger.json",
      JSON.stringify(ledger(invoices("2026-03", { everywhere: true }))),
    ),
    wrongEffects("April sent as well", sent(invoices("2026-0"))),
    wrongEffects("sent twice", [sent(right), sent(right)].flat()),
  ],
};

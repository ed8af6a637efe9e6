import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { exactly, jsonFile } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const people = [
  { name: "Mira Holm", customerId: "cu-77" },
  { name: "Mira Holmberg", customerId: "cu-41" },
];
const orders: Readonly<Record<string, readonly { orderId: string; placed: string; item: string }[]>> = {
  "cu-77": [
    { orderId: "or-9001", placed: "2026-01-10", item: "kettle" },
    { orderId: "or-9144", placed: "2026-02-21", item: "bread knife" },
    { orderId: "or-9078", placed: "2026-02-02", item: "lamp" },
  ],
  "cu-41": [{ orderId: "or-9150", placed: "2026-02-23", item: "chair" }],
};
const shipments: Readonly<Record<string, { parcel: string; carrier: string }>> = {
  "or-9001": { parcel: "P-11-8840", carrier: "Nordpost" },
  "or-9144": { parcel: "P-12-0071", carrier: "Gull" },
  "or-9078": { parcel: "P-11-9907", carrier: "Nordpost" },
  "or-9150": { parcel: "P-12-0080", carrier: "Gull" },
};
const events: Readonly<Record<string, readonly { at: string; place: string; what: string }[]>> = {
  "P-12-0071": [
    { at: "2026-02-22T09:10Z", place: "Lund", what: "picked up" },
    { at: "2026-02-22T21:45Z", place: "Malmo hub", what: "sorted" },
    { at: "2026-02-23T04:30Z", place: "Kiel hub", what: "sorted" },
    { at: "2026-02-23T04:55Z", place: "Kiel hub", what: "held: address incomplete" },
  ],
  "P-12-0080": [{ at: "2026-02-24T08:00Z", place: "Lund", what: "picked up" }],
  "P-11-8840": [{ at: "2026-01-14T10:00Z", place: "Turku", what: "delivered" }],
  "P-11-9907": [{ at: "2026-02-06T10:00Z", place: "Turku", what: "delivered" }],
};
const hubs: Readonly<Record<string, string>> = {
  "Kiel hub": "+49 431 5550",
  "Malmo hub": "+46 40 5550",
  Lund: "+46 46 5550",
  Turku: "+358 2 5550",
};
const note = {
  parcel: "P-12-0071",
  item: "bread knife",
  status: "held: address incomplete",
  place: "Kiel hub",
  phone: "+49 431 5550",
};

function lookUp<T>(table: Readonly<Record<string, T>>, key: string, what: string): T {
  const found = table[key];
  if (found === undefined) throw new Error(`There is no ${what} ${key}.`);
  return found;
}

const text = (about: string): z.ZodString => z.string().describe(about);
const readOnly = { readOnly: true };

export const lateParcel: EvalTask = {
  name: "late-parcel",
  level: 3,
  prompt: "Where is the parcel with the last order of Mira Holm, and whom does one call about it?",
  world: () => ({
    tools: [
      functionTool({
        name: "find_customers",
        description: "Customers whose name contains a text, as [{name, customerId}].",
        input: z.object({ name: text("A name or a part of it.") }),
        hints: readOnly,
        run: ({ name }) => people.filter((person) => person.name.includes(name)),
      }),
      functionTool({
        name: "orders_of",
        description: "The orders of a customer in no order, as [{orderId, placed, item}].",
        input: z.object({ customer_id: text("As find_customers gives it.") }),
        hints: readOnly,
        run: ({ customer_id: id }) => [...lookUp(orders, id, "customer")],
      }),
      functionTool({
        name: "shipment_of",
        description: "The parcel of an order, as {parcel, carrier}.",
        input: z.object({ order_id: text("As orders_of gives it.") }),
        hints: readOnly,
        run: ({ order_id: id }) => lookUp(shipments, id, "order"),
      }),
      functionTool({
        name: "track",
        description: "What happened to a parcel, oldest first, as [{at, place, what}].",
        input: z.object({ parcel: text("As shipment_of gives it.") }),
        hints: readOnly,
        run: ({ parcel }) => [...lookUp(events, parcel, "parcel")],
      }),
      functionTool({
        name: "phone_of",
        description: "The telephone number of a place.",
        input: z.object({ place: text("As track gives it.") }),
        hints: readOnly,
        run: ({ place }) => lookUp(hubs, place, "place"),
      }),
    ],
  }),
  answer: { format: "text", description: "the telephone number of the place where it is", is: exactly(note.phone) },
  artifacts: {
    "note.json": {
      mime: "application/json",
      description: '{"parcel", "item", "status": what happened last, "place", "phone"}',
      is: jsonFile(exactly(note)),
    },
  },
  correct: { answer: note.phone, artifacts: { "note.json": JSON.stringify(note) } },
  wrong: [
    wrongAnswer("the last order in the list instead of the latest", "+358 2 5550"),
    wrongAnswer("another customer with a longer name", "+46 46 5550"),
    wrongArtifact("the event before the last", "note.json", JSON.stringify({ ...note, status: "sorted" })),
  ],
};

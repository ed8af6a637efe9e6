import { z } from "zod";

import { functionTool } from "../../../src/tools/index.js";
import { exactly, jsonFile, markdownFile, markdownTable, type Json } from "../../checks.js";
import { between, choice, groupBy, numbers } from "../../data.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";

const random = numbers(314);
const services = ["api", "billing", "search", "mail"];
const start = Date.UTC(2026, 4, 11, 8, 0);
const MINUTE = 60_000;
const iso = (time: number): string => `${new Date(time).toISOString().slice(0, 16)}Z`;

const deploys = [
  { id: "dep-301", service: "mail", at: start + 12 * MINUTE, author: "kim" },
  { id: "dep-302", service: "billing", at: start + 95 * MINUTE, author: "lou" },
  { id: "dep-303", service: "search", at: start + 101 * MINUTE, author: "ana" },
  { id: "dep-304", service: "billing", at: start + 168 * MINUTE, author: "lou" },
  { id: "dep-305", service: "api", at: start + 200 * MINUTE, author: "kim" },
];
/** One entry a minute and service at the most; billing fails from its deploy until it is rolled back. */
const entries = Array.from({ length: 240 }, (_, minute) =>
  services.flatMap((service) => {
    if (random() < 0.45) return [];
    const broken = service === "billing" && minute >= 98 && minute < 168;
    const failed = random() < (broken ? 0.62 : 0.04);
    return [
      {
        at: start + minute * MINUTE,
        service,
        status: failed ? choice([500, 502, 503], random) : 200,
        tenant: `t${String(between(1, 12, random))}`,
      },
    ];
  }),
).flat();
const PAGE = 60;

const SLOT = 15 * MINUTE;
const isError = ({ status }: { readonly status: number }): boolean => status >= 500;
const slots = (service: string): { at: number; requests: number; errors: number }[] =>
  [
    ...groupBy(
      entries.filter((entry) => entry.service === service),
      ({ at }) => Math.floor(at / SLOT),
    ),
  ].map(([slot, all]) => ({
    at: slot * SLOT,
    requests: all.length,
    errors: all.filter(isError).length,
  }));
const incidents = services.flatMap((service) => {
  const bad = slots(service).filter(({ requests, errors }) => errors / requests > 0.25);
  return bad.length === 0 ? [] : [{ service, from: bad[0]?.at ?? 0, until: (bad.at(-1)?.at ?? 0) + SLOT, bad }];
});
const [worst] = incidents.toSorted((a, b) => b.bad.length - a.bad.length);
const { service = "", from = 0, until = 0 } = worst ?? {};
const during = entries.filter(
  (entry) => entry.service === service && entry.at >= from && entry.at < until && isError(entry),
);
const tenants = [...new Set(during.map(({ tenant }) => tenant))].sort(
  (a, b) => Number(a.slice(1)) - Number(b.slice(1)),
);
const cause = deploys.filter((deploy) => deploy.service === service && deploy.at < from + SLOT).at(-1);
const facts: Json = {
  service,
  from: iso(from),
  until: iso(until),
  errors: during.length,
  tenants,
  deploy: cause?.id ?? null,
  author: cause?.author ?? null,
};
const table = (of: string): (string | number)[][] => [
  ["time", "requests", "errors"],
  ...slots(of)
    .filter(({ at }) => at >= from && at < until)
    .map(({ at, requests, errors }) => [iso(at).slice(11, 16), requests, errors]),
];
const heading = `Incident: ${service}`;
const readOnly = { readOnly: true };

export const incidentTimeline: EvalTask = {
  name: "incident-timeline",
  level: 5,
  prompt:
    "Something was broken this morning. Go through the requests of all services. A quarter of an hour (08:00, 08:15, …) is bad for " +
    "a service if more than 25 % of its requests in it failed with a status of 500 or more. The service with the most bad quarters " +
    "had the incident: from the beginning of its first bad quarter until the end of its last one. What caused it is the last " +
    "deploy of that service that was made before the first bad quarter was over. Who made that deploy?",
  world: () => ({
    tools: [
      functionTool({
        name: "list_services",
        description: "The names of the services.",
        input: z.object({}),
        hints: readOnly,
        run: () => [...services],
      }),
      functionTool({
        name: "requests",
        description:
          "Requests of a service by time, a page of them, as {items: [{at, status, tenant}], next}: next is the number of the following page, null on the last.",
        input: z.object({ service: z.string(), page: z.int().min(1).default(1) }),
        hints: readOnly,
        run: ({ service: name, page }) => {
          const own = entries.filter((entry) => entry.service === name);
          const items = own
            .slice((page - 1) * PAGE, page * PAGE)
            .map(({ at, status, tenant }) => ({ at: iso(at), status, tenant }));
          return { items, next: page * PAGE < own.length ? page + 1 : null };
        },
      }),
      functionTool({
        name: "list_deploys",
        description: "The deploys of a service by time, as [{id, at}].",
        input: z.object({ service: z.string() }),
        hints: readOnly,
        run: ({ service: name }) =>
          deploys.filter((deploy) => deploy.service === name).map(({ id, at }) => ({ id, at: iso(at) })),
      }),
      functionTool({
        name: "deploy",
        description: "One deploy, as {id, author}.",
        input: z.object({ id: z.string() }),
        hints: readOnly,
        run: ({ id }) => {
          const found = deploys.find((each) => each.id === id);
          if (found === undefined) throw new Error(`There is no deploy ${id}.`);
          return { id, author: found.author };
        },
      }),
    ],
  }),
  answer: { format: "text", description: "the name of the author", is: exactly(cause?.author ?? null) },
  artifacts: {
    "incident.json": {
      mime: "application/json",
      description:
        '{"service", "from", "until" (as 2026-05-11T08:00Z), "errors": failed requests of it in that time, "tenants": those whose ' +
        'requests failed then, by number, "deploy", "author"}',
      is: jsonFile(exactly(facts)),
    },
    "incident.md": {
      mime: "text/markdown",
      description:
        "the heading '# Incident: <service>' and a table time, requests, errors with a line for each quarter of the incident (time " +
        "as 08:15), also for one in between that was not bad",
      is: markdownFile(table(service), heading),
    },
  },
  correct: {
    answer: cause?.author ?? null,
    artifacts: {
      "incident.json": JSON.stringify(facts),
      "incident.md": `# ${heading}\n\n${markdownTable(table(service))}\n`,
    },
  },
  wrong: [
    wrongAnswer("the author of the last deploy before, whatever the service", "ana"),
    wrongArtifact(
      "only the first page of requests",
      "incident.json",
      JSON.stringify({ ...facts, errors: during.slice(0, 7).length }),
    ),
    wrongArtifact(
      "the roll-back taken for the cause",
      "incident.json",
      JSON.stringify({ ...facts, deploy: "dep-304" }),
    ),
    wrongArtifact(
      "more services in the heading",
      "incident.md",
      `# ${heading}, mail and search\n\n${markdownTable(table(service))}\n`,
    ),
    wrongArtifact("the heading below its table", "incident.md", `${markdownTable(table(service))}\n\n# ${heading}\n`),
    wrongArtifact("the quarters of another service", "incident.md", `# ${heading}\n\n${markdownTable(table("api"))}\n`),
  ],
};

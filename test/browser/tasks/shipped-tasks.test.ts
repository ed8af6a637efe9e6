import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import type { AgentResult } from "../../../src/agent/index.js";
import type { Session } from "../../../src/session/index.js";
import { shippedTasks } from "../../../src/ui/tasks/index.js";
import { DAYS_OF_THREE_READINGS, expectedOf, keplerRows, type Expected } from "./independent-results.js";
import { openTaskSession, replay, taskNamed } from "./task-session.js";

// One session for all of them, as on the page: no task may stumble over what another one left behind.
let session: Session;

beforeAll(async () => {
  session = await openTaskSession();
});
afterAll(() => session.close());
afterEach(() => {
  vi.restoreAllMocks();
});

async function solve(id: string): Promise<AgentResult> {
  return (await replay(session, taskNamed(id))).result;
}

async function expected(id: string): Promise<Expected> {
  return expectedOf[id]!();
}

const load = async (name: string): Promise<string> => new TextDecoder().decode(await session.artifacts.loadBytes(name));

function parseXml(text: string): Document {
  const document = new DOMParser().parseFromString(text, "image/svg+xml");
  expect(document.querySelector("parsererror")?.textContent).toBeUndefined();
  expect(document.documentElement.localName).toBe("svg");
  return document;
}

describe("the tools and skills of the repository", () => {
  test("all load", async () => {
    expect(session.tools.problems()).toEqual([]);
    expect(session.tools.list().map(({ name }) => name)).toEqual([
      "catalog",
      "orders",
      "shell",
      "sqlite",
      "warehouses",
      "assistant",
      "codegen_python",
      "write_codebase_tool",
    ]);
    const { skills, problems } = await session.skills.list();
    expect(problems).toEqual([]);
    expect(skills.filter(({ description }) => description === "")).toEqual([]);
    expect(skills.flatMap(({ parameters }) => parameters).filter(({ description }) => description === "")).toEqual([]);
  });
});

describe.each(shippedTasks)("the shipped task $id", ({ id, transcript }) => {
  test("replays to its end: Python computes the recorded answer, which an independent computation confirms", async () => {
    const result = await solve(id);

    expect(result).toMatchObject({ state: "completed", error: null });
    expect(result.answer?.text).toBe((await expected(id)).answer);
    expect(result.answer?.text).toBe(transcript.answer);
    expect(result.steps).toHaveLength(transcript.steps.length);
    expect(result.steps.at(-1)?.run?.finalAnswer?.value).toBe(result.answer?.value);
  });

  test("keeps tables that equal an independent computation to the last digit", async () => {
    for (const [name, text] of Object.entries((await expected(id)).tables)) expect(await load(name), name).toBe(text);
  });

  test("says by whom its replies are", () => {
    expect(transcript.by).toBe("hand");
  });
});

describe("what the tasks leave behind", () => {
  test("clean-readings: a chart with a point for each day that has all its readings", async () => {
    const chart = parseXml(await load("daily-means.svg"));

    expect(chart.querySelectorAll("circle")).toHaveLength(DAYS_OF_THREE_READINGS);
    expect([...chart.querySelectorAll("text[font-weight]")].map(({ textContent }) => textContent).sort()).toEqual([
      "Harbour",
      "Hill",
      "Mean temperature per day",
      "Valley",
    ]);
  });

  test("revenue-by-category: the same table as CSV and JSON, and a bar for each row", async () => {
    const [header = "", ...lines] = (await load("revenue-by-category.csv")).trim().split("\n");
    const rows = await session.artifacts.load("revenue-by-category.json");

    expect(rows).toEqual(
      lines.map((line) => {
        const [category, orders, items, revenue] = line.split(",");
        return { category, orders: Number(orders), items: Number(items), revenue_eur: revenue };
      }),
    );
    expect(header).toBe("category,orders,items,revenue_eur");
    expect(parseXml(await load("revenue-by-category.svg")).querySelectorAll("rect[rx='3']")).toHaveLength(lines.length);
  });

  test("monthly-use: a saved skill, described, that still runs", async () => {
    const skill = await session.skills.get("monthly_use");
    expect(skill).toMatchObject({ description: "Use per month, from the readings of a meter.", trust: "sandboxed" });
    expect(skill?.parameters.map(({ name }) => name)).toEqual([
      "rows",
      "day",
      "reading",
      "day_format",
      "decimal_comma",
    ]);

    const { value } = await session.run(
      'skills.monthly_use(rows=[{"d": "2025-01-31", "n": "5"}, {"d": "2025-02-02", "n": "9"}], day="d", reading="n")',
    );
    expect(value).toEqual({ "2025-01": 2, "2025-02": 2 });
  });

  test("kepler-report: a page with the picture inline and the numbers right, and a PNG that a browser draws", async () => {
    const page = new DOMParser().parseFromString(await load("kepler-report.html"), "text/html");

    const rows = [...page.querySelectorAll("tbody tr")].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
    expect(rows).toEqual((await keplerRows()).map(({ cells }) => cells));
    expect(page.querySelectorAll("svg circle")).toHaveLength(rows.length);
    expect(page.querySelectorAll("script, link, img, [src], [href]")).toHaveLength(0);
    const picture = await createImageBitmap(new Blob([await session.artifacts.loadBytes("orbits.png")]));
    expect([picture.width, picture.height]).toEqual([320, 320]);
  });

  test("reorder-list: the list, with who was silent and what was not counted", async () => {
    expect(await session.artifacts.load("reorder-list.json")).toMatchObject({
      no_answer: ["Old mill (HTTP 404)"],
      not_counted: ["CHR-02 in river"],
    });
  });
});

describe("calls of a task", () => {
  test("reorder-list asks all warehouses before any of them answers, and outlives the one that is silent", async () => {
    const original = globalThis.fetch;
    const all = Promise.withResolvers<undefined>();
    let asked = 0;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      if (!/warehouses\/(?!index)/.test(addressOf(input))) return original(input, init);
      asked += 1;
      // The first step asks for one warehouse, the second for all six.
      if (asked === 7) all.resolve(undefined);
      if (asked > 1) await all.promise;
      return original(input, init);
    });

    const { state, steps } = await solve("reorder-list");

    expect(state).toBe("completed");
    const calls = (steps[1]?.run?.calls ?? []).filter(({ name }) => name === "warehouses.stock");
    expect(calls).toHaveLength(6);
    expect(calls.map(({ outcome }) => outcome).filter(({ kind }) => kind !== "ok")).toMatchObject([
      { kind: "error", name: "ToolCallError", code: "TOOL_CALL" },
    ]);
  });

  test("revenue-by-category: a skill's calls of a tool are recorded below the skill", async () => {
    const { steps } = await solve("revenue-by-category");

    const calls = steps[2]?.run?.calls ?? [];
    const skill = calls.find(({ name }) => name === "look_up_products");
    const products = calls.filter(({ name }) => name === "catalog.product");
    expect(products.length).toBeGreaterThan(5);
    expect(new Set(products.map(({ parent }) => parent))).toEqual(new Set([skill?.id]));
  });
});

const changes = [
  { id: "clean-readings", file: "station-readings.csv", from: '03-11 06:00,"6,1', to: '03-11 06:00,"7,1' },
  {
    id: "revenue-by-category",
    file: "api/orders/page-3.json",
    from: '"CHR-01", "quantity": 1',
    to: '"CHR-01", "quantity": 40',
  },
  { id: "monthly-use", file: "meter-water.csv", from: "1.258,9", to: "1.251,6" },
  { id: "reorder-list", file: "api/warehouses/south.json", from: '"CHR-02": 6', to: '"CHR-02": 1' },
  { id: "order-check", file: "order-list.csv", from: "SHF-02,2,79.00", to: "SHF-02,3,79.00" },
];

describe("a number that changed in a data file", () => {
  test.each(changes)("changes the answer of $id where no reply depended on it: $file", async (change) => {
    changeFile(change);

    const result = await solve(change.id);

    expect(result).toMatchObject({ state: "completed", error: null });
    expect(result.answer?.text).toBe((await expected(change.id)).answer);
    expect(result.answer?.text).not.toBe(taskNamed(change.id).transcript.answer);
  });

  test.each([
    { id: "clean-readings", file: "station-readings.csv", from: "0.6C", to: "-7.6C", step: 1 },
    { id: "revenue-by-category", file: "api/orders/page-1.json", from: '"89.00"', to: '"98.00"', step: 1 },
    { id: "monthly-use", file: "meter-electricity.csv", from: "1086.6", to: "1096.6", step: 2 },
    { id: "kepler-report", file: "planets.csv", from: "4332.589", to: "4332.985", step: 1 },
    { id: "reorder-list", file: "api/warehouses/north.json", from: '"LMP-02": 1', to: '"LMP-02": 9', step: 1 },
    { id: "order-check", file: "order-list.csv", from: "B-2102", to: "B2102", step: 2 },
  ])("stops the replay of $id at the step that showed it: $file", async (change) => {
    changeFile(change);

    const result = await solve(change.id);

    expect(result).toMatchObject({
      state: "error",
      answer: null,
      error: { name: "RecordingMismatchError", code: "RECORDING_MISMATCH", step: change.step },
    });
  });
});

interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** What the site answers for one of its data files from now on, until the test ends. */
function changeFile({ file, from, to }: Change): void {
  const original = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const response = await original(input, init);
    if (!addressOf(input).endsWith(`/data/${file}`)) return response;
    const text = await response.text();
    if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
    return new Response(text.replace(from, to), { headers: response.headers });
  });
}

function addressOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : String(input);
}

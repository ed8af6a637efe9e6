import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { page } from "vitest/browser";

import { functionTool, memoryStorage, type Session } from "../../../src/index.js";
import { ShelfView } from "../../../src/ui/components/shelf/shelf-view.js";
import type { ArtifactsPanel } from "../../../src/ui/components/shelf/artifacts-panel.js";
import type { ToolsPanel } from "../../../src/ui/components/shelf/tools-panel.js";
import { AppState } from "../../../src/ui/state/app-state.js";
import "../../../src/ui/styles/tokens.css";
import "../../../src/ui/styles/basics.css";
import "../../../src/ui/styles/controls.css";
import "../../../src/ui/styles/page.css";
import "../../../src/ui/styles/shelf.css";
import { untilShown } from "../../timeouts.mjs";

let app: AppState;
let session: Session;
let shelf: ShelfView;

const settings = new Map<string, string>();

beforeAll(async () => {
  app = new AppState({
    openStorage: memoryStorage,
    seeds: [],
    shipped: [],
    keyValueStore: () => ({
      getItem: (key) => settings.get(key) ?? null,
      setItem: (key, value) => void settings.set(key, value),
    }),
    fetchFile: (url) => Promise.reject(new Error(`The file ${url} is not there.`)),
    serverAuth: () => Promise.reject(new Error("Nobody logs in.")),
  });
  session = await app.session.open();
});
afterAll(() => session.close());
afterEach(() => {
  shelf.remove();
});

async function show(tab: string): Promise<void> {
  shelf = new ShelfView();
  shelf.app = app;
  document.body.append(shelf);
  await shelf.updateComplete;
  shelf.show(tab);
  await shelf.updateComplete;
}

const count = (selector: string): number => shelf.querySelectorAll(selector).length;

test("of many artifacts the newest are drawn, and others when they are asked for", async () => {
  for (let index = 0; index < 25; index++) await session.artifacts.save(`a${String(index)}.txt`, "text");
  await show("artifacts");
  await expect.poll(() => count("vitrine-app-artifact"), untilShown).toBe(20);

  await page.getByRole("button", { name: "Show 5 more" }).click();

  await expect.poll(() => count("vitrine-app-artifact"), untilShown).toBe(25);
});

test("newer artifacts that take the place of those that are drawn come a few at a time", async () => {
  for (let index = 0; index < 20; index++) await session.artifacts.save(`old${String(index)}.txt`, "text");
  const drawn = (): number =>
    [...shelf.querySelectorAll("vitrine-app-artifact .name")].filter(({ textContent }) => textContent.includes("new"))
      .length;
  await show("artifacts");
  await expect.poll(() => count("vitrine-app-artifact article"), untilShown).toBe(20);
  let last: unknown;
  await expect.poll(() => last === (last = app.shelf.artifacts), { ...untilShown, interval: 500 }).toBe(true);
  const seen = new Set<number>();
  const observer = new MutationObserver(() => seen.add(drawn()));
  observer.observe(shelf, { subtree: true, childList: true });

  app.shelf.artifacts = app.shelf.artifacts.map((artifact, index) => ({
    ...artifact,
    name: `new${String(index)}.txt`,
  }));
  shelf.querySelector<ArtifactsPanel>("vitrine-app-artifacts")?.requestUpdate();

  await expect.poll(drawn, untilShown).toBe(20);
  observer.disconnect();
  expect([...seen].filter((number) => number > 0 && number < 20).length).toBeGreaterThan(1);
});

test("tools that others take the place of are drawn a few at a time, in their order", async () => {
  for (let index = 0; index < 40; index++) {
    session.tools.register(
      functionTool({ name: `many${String(index + 10)}`, description: "first", input: {}, run: () => null }),
    );
  }
  const drawn = (description: string): number =>
    [...shelf.querySelectorAll(".item")].filter((item) => item.textContent.includes(description)).length;
  await show("tools");
  await expect.poll(() => drawn("first"), untilShown).toBe(40);
  // No reading of the lists is under way any more.
  let last: unknown;
  await expect.poll(() => last === (last = app.shelf.tools), { ...untilShown, interval: 500 }).toBe(true);
  const seen: number[] = [];
  const observer = new MutationObserver(() => seen.push(drawn("second")));
  observer.observe(shelf, { subtree: true, childList: true, characterData: true });

  app.shelf.tools = app.shelf.tools.map((tool) => ({ ...tool, description: "second" }));
  shelf.querySelector<ToolsPanel>("vitrine-app-tools")?.requestUpdate();

  const all = app.shelf.tools.length;
  await expect.poll(() => drawn("second"), untilShown).toBe(all);
  observer.disconnect();
  expect(seen.filter((count) => count > 0 && count < all).length).toBeGreaterThan(2);
  const names = [...shelf.querySelectorAll(".item h3")].map((heading) => heading.textContent);
  expect(names).toEqual(app.shelf.tools.map(({ name }) => `tools.${name}`));
  for (let index = 0; index < 40; index++) await session.tools.remove(`many${String(index + 10)}`);
});

test("the source of a skill is drawn once it is opened, and its beginning alone where it is very long", async () => {
  const long = `def run():\n    """Answers."""\n${"    # words\n".repeat(30_000)}    return 1`;
  await session.skills.create({ name: "long", source: long, description: "d".repeat(5000) });
  await show("skills");
  const summary = shelf.querySelector("summary");
  await expect.poll(() => shelf.querySelector("summary"), untilShown).not.toBeNull();
  expect(summary?.parentElement?.querySelector("pre") ?? null).toBeNull();
  expect(shelf.querySelector(".item .hint")?.textContent).toHaveLength(2001);

  await page.getByText("Source").click();

  await expect.poll(() => shelf.querySelector("pre")?.textContent.length ?? 0, untilShown).toBeGreaterThan(40_000);
  expect(shelf.querySelector("pre")?.textContent.length).toBeLessThan(120_000);
  expect(shelf.querySelector("pre")?.textContent).toMatch(/… [\d,]+ more characters not shown$/);
});

test("of a tool with a long description and very many parameters the beginning is drawn", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`parameter${String(index)}`, { type: "string" }]),
  );
  const input = { type: "object", properties } as const;
  session.tools.register(functionTool({ name: "wide", description: "word ".repeat(5000), input, run: () => "done" }));
  await show("tools");
  const wide = (): Element | undefined =>
    [...shelf.querySelectorAll(".item")].find(({ textContent }) => textContent.includes("tools.wide"));
  await expect.poll(wide, untilShown).toBeDefined();

  expect(wide()?.querySelector(".hint")?.textContent).toHaveLength(2001);
  expect(wide()?.querySelector("pre")?.textContent).toHaveLength(2001);
});

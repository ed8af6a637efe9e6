import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";

import { agentIn, fieldOf, fillModel, MODEL, showAgent } from "./agent-page.js";
import { drawn, partOf, partsOf, show, until } from "./cell-page.js";
import { useScriptedParts, type ScriptedParts } from "./scripted-parts.js";

let scripted: ScriptedParts;

beforeEach(async () => {
  scripted = useScriptedParts();
  await page.viewport(900, 700);
});

afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.removeAttribute("dir");
  document.documentElement.style.removeProperty("color-scheme");
  document.documentElement.style.removeProperty("background");
});

/** As docs/embed.md has it. */
const ROOM = "vitrine-agent { display: block; min-block-size: 19rem; }";

test("nothing around an agent moves when the widget comes to a page that left it room", async () => {
  const frame = document.createElement("iframe");
  frame.width = "800";
  frame.height = "600";
  document.body.append(frame);
  const inside = frame.contentDocument;
  if (inside === null) throw new Error("The frame has no document.");
  inside.body.innerHTML = `<style>${ROOM}</style><p>Before</p>
    <vitrine-agent><p>What I am</p><ul slot="examples"><li>Which country ordered most?</li><li>How many?</li></ul></vitrine-agent>
    <p id="after">After</p>`;
  const places = (): (number | undefined)[] =>
    [...inside.querySelectorAll("p")].map((each) => each.getBoundingClientRect().top);
  const before = places();

  const script = inside.createElement("script");
  script.type = "module";
  script.textContent = 'import("/src/ui/widget/agent/define-agent.ts").then((module) => module.defineAgent());';
  inside.body.append(script);
  await until(() => expect(inside.querySelector("vitrine-agent")?.shadowRoot).not.toBeNull());
  await drawn();

  expect(places()).toEqual(before);
});

const everything = `
  <h1>A page</h1>
  <vitrine-agent id="none" texts="llms.txt" placeholder="What would you like to know?"><p>An agent answers questions about this page.</p>
    <ul slot="examples"><li>Which country ordered most, and by how much more than the one that came after it?</li><li>How many?</li></ul>
  </vitrine-agent>
  <vitrine-agent id="done" ${MODEL} label="Ask the orders"></vitrine-agent>
  <vitrine-agent id="working" ${MODEL} label="Ask the customers"></vitrine-agent>
  <vitrine-agent id="bad" endpoint="ftp://models.test" steps="0" label="Ask nothing"></vitrine-agent>`;

async function showEverything(): Promise<HTMLElement> {
  await showAgent();
  document.body.replaceChildren();
  const place = await show(everything);
  fillModel(agentIn(place, "#none"), { address: "models" });
  const done = agentIn(place, "#done");
  await done.ask("How many orders are there?");
  scripted.answer = () => Promise.resolve({ kind: "failed", message: "models.test said no.", isOfModel: false });
  await done.ask("And of Norway, in an article-number-that-is-longer-than-a-narrow-screen-and-then-some-more?");
  scripted.answer = ({ onPhase, onInput, signal }) => {
    onPhase({ kind: "loading-python", loaded: 3_900_000, total: 6_300_000 });
    void onInput("What is your name? ", { signal }).catch(() => undefined);
    return new Promise(() => undefined);
  };
  void agentIn(place, "#working").ask("Who am I?");
  await until(() => expect(partsOf(agentIn(place, "#working"), "input")).toHaveLength(1));
  await drawn();
  return place;
}

async function violations(root: Element): Promise<string[]> {
  const found = await axe.run(root, { rules: { "target-size": { enabled: true } } });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

test.each(["light", "dark"])("axe finds nothing in agents of a %s page, whatever they are at", async (scheme) => {
  document.documentElement.style.setProperty("color-scheme", scheme);
  document.documentElement.style.setProperty("background", scheme === "dark" ? "#101214" : "#fff");
  const place = await showEverything();
  place.style.setProperty("color", scheme === "dark" ? "#e6e6e2" : "#1c1f21");
  expect(await violations(place)).toEqual([]);
});

test.each(["ltr", "rtl"])(
  "on a narrow %s page nothing is wider than the page, and what is pressed is large enough",
  async (dir) => {
    await page.viewport(360, 700);
    document.documentElement.setAttribute("dir", dir);
    const place = await showEverything();

    expect(document.documentElement.scrollWidth).toBe(360);
    for (const agent of place.querySelectorAll("vitrine-agent")) {
      for (const control of agent.shadowRoot?.querySelectorAll("button, input, textarea, summary") ?? []) {
        if (!(control instanceof HTMLElement) || control.getClientRects().length === 0) continue;
        const { left, right, height } = control.getBoundingClientRect();
        const isLarge = height >= 24 || control.matches("[type=checkbox]");
        expect([left >= 0, right <= 360, isLarge], control.outerHTML).toEqual([true, true, true]);
      }
    }
  },
);

test("while an agent works Stop stays in view, however long what came of it is", async () => {
  const agent = await showAgent(
    `<div style="block-size: 300px"></div><vitrine-agent ${MODEL}></vitrine-agent><div style="block-size: 2000px"></div>`,
  );
  scripted.answer = () => new Promise(() => undefined);
  void agent.ask("How many?");
  await until(() => expect(scripted.questions).toHaveLength(1));
  const exchange = partOf(agent, "exchange").querySelector(".work > *");
  if (!(exchange instanceof HTMLElement)) throw new Error("There is no transcript.");

  exchange.style.setProperty("height", "3000px");

  const { top, bottom } = partOf(agent, "stop").getBoundingClientRect();
  expect([top >= 0, bottom <= innerHeight]).toEqual([true, true]);
});

test("the page's properties set the colours, and its parts the rest", async () => {
  const agent = await showAgent(
    `<style>vitrine-agent::part(field) { border-style: dashed; }</style>
     <vitrine-agent ${MODEL} style="--vitrine-accent: rgb(1, 2, 3)"></vitrine-agent>`,
  );
  expect(getComputedStyle(partOf(agent, "ask")).backgroundColor).toBe("rgb(1, 2, 3)");
  expect(getComputedStyle(fieldOf(agent, "Ask about this page")).borderTopStyle).toBe("dashed");
});

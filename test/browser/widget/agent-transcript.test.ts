import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";

import type { AgentTranscript, PageAgent } from "../../../src/ui/widget/agent-parts.js";
import { openPageAgent } from "../../../src/ui/widget/agent-runtime/index.js";
import { openRuntime, type OpenRuntime } from "../../../src/ui/widget/runtime/index.js";
import { dictated, python, questionTo, scenario, shownTranscript, textOf } from "./agents.js";

let runtime: OpenRuntime;
let agent: PageAgent;
beforeEach(async () => {
  await page.viewport(900, 700);
  runtime = openRuntime();
  agent = openPageAgent(runtime);
});
afterEach(async () => {
  await runtime.end();
  document.body.replaceChildren();
  document.documentElement.removeAttribute("style");
});

const root = ({ element }: AgentTranscript): ShadowRoot => element.shadowRoot ?? element.attachShadow({ mode: "open" });
const steps = (transcript: AgentTranscript): HTMLDetailsElement[] => [
  ...root(transcript).querySelectorAll<HTMLDetailsElement>("details.step"),
];
const open = (transcript: AgentTranscript): boolean[] => steps(transcript).map((step) => step.open);

const ANSWER =
  "## Lamps\n\nA lamp costs **40**, see [the prices](https://example.org/prices), [this](javascript:alert(1)) and https://example.org/x.\n\n![a lamp](https://example.org/lamp.png)";

/** A question whose code waits for the reader in its second step. */
function waiting(): {
  transcript: AgentTranscript;
  asked: Promise<unknown>;
  goOn: () => void;
  outcome: Promise<unknown>;
} {
  const transcript = shownTranscript();
  const asked = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<string>();
  const model = dictated(
    python("print('forty')\n1 / 0", "First I **look**."),
    python(
      `input("How many?")\nfinal_answer(${JSON.stringify(ANSWER)}, verified_by="the price list")`,
      "Then I answer.",
    ),
  );
  const outcome = agent.ask(
    questionTo(model, {
      onInput: () => {
        asked.resolve(undefined);
        return answer.promise;
      },
    }),
    transcript,
  );
  return { transcript, asked: asked.promise, goOn: () => answer.resolve(""), outcome };
}

test("the step at work is open, the ones before it are lines, and the answer stands below them all", async () => {
  const { transcript, asked, goOn, outcome } = waiting();
  await asked;
  await expect.poll(() => open(transcript)).toEqual([false, true]);
  expect(steps(transcript)[0]?.querySelector("summary")?.textContent).toContain("First I look.");
  await expect.poll(() => textOf(transcript)).toContain("Step 2 of 6: the code asks you");
  goOn();
  await outcome;
  await expect.poll(() => open(transcript)).toEqual([false, false]);
  const answer = root(transcript).querySelector("section");
  await expect.poll(() => answer?.textContent).toContain("A lamp costs 40, see the prices (example.org), this");
  expect(answer?.ariaLabel).toBe("Answer");
  expect(textOf(transcript)).not.toContain("of 6");
  // The step that answered has printed nothing.
  expect(steps(transcript).map((step) => step.querySelectorAll("vitrine-output").length)).toEqual([1, 0]);
});

test("what the reader opened or closed stays so", async () => {
  const { transcript, asked, goOn, outcome } = waiting();
  await asked;
  await expect.poll(() => open(transcript)).toEqual([false, true]);
  for (const step of steps(transcript)) step.querySelector("summary")?.click();
  await expect.poll(() => open(transcript)).toEqual([true, false]);
  await expect.poll(() => textOf(transcript)).toContain("ZeroDivisionError: division by zero");
  goOn();
  await outcome;
  await expect.poll(() => root(transcript).querySelector("section")).not.toBeNull();
  expect(open(transcript)).toEqual([true, false]);
});

test("a step in which the reader has the focus does not fold under them", async () => {
  const { transcript, asked, goOn, outcome } = waiting();
  await asked;
  await expect.poll(() => open(transcript)).toEqual([false, true]);
  const code = steps(transcript)[1]?.querySelector("pre");
  code?.focus();
  goOn();
  await outcome;
  await expect.poll(() => root(transcript).querySelector("section")).not.toBeNull();
  expect(open(transcript)).toEqual([false, true]);
  expect(root(transcript).activeElement).toBe(code);
});

test("nothing of an answer is loaded or leads away by itself, and a link opens its whole address first", async () => {
  const { transcript, asked, goOn, outcome } = waiting();
  await asked;
  goOn();
  await outcome;
  const answer = (): Element | null => root(transcript).querySelector("section .markdown");
  await expect.poll(() => answer()?.querySelectorAll("button").length).toBe(2);
  expect(answer()?.querySelector("a, img, [href], [src]")).toBeNull();
  expect(answer()?.textContent).toContain("[picture not loaded: a lamp]");
  // An address that is its own text says its host itself.
  expect([...(answer()?.querySelectorAll(".link-host") ?? [])].map(({ textContent }) => textContent)).toEqual([
    " (example.org)",
  ]);
  answer()?.querySelector("button")?.click();
  await expect
    .poll(() => root(transcript).querySelector("dialog")?.textContent)
    .toContain("https://example.org/prices");
  await userEvent.keyboard("{Escape}");
  await expect.poll(() => root(transcript).querySelector("dialog")).toBeNull();
});

test.each(["light", "dark"])("axe finds nothing in it on a %s page, and no style is an attribute", async (scheme) => {
  document.documentElement.style.setProperty("color-scheme", scheme);
  document.documentElement.style.setProperty("background", scheme === "dark" ? "#131516" : "#fff");
  const { transcript, asked, goOn, outcome } = waiting();
  await asked;
  await expect.poll(() => steps(transcript).length).toBe(2);
  steps(transcript)[0]?.querySelector("summary")?.click();
  await expect.poll(() => textOf(transcript)).toContain("ZeroDivisionError");
  goOn();
  await outcome;
  await expect.poll(() => root(transcript).querySelector("section .markdown button")).not.toBeNull();
  const found = await axe.run(document.body, {
    rules: { "target-size": { enabled: true }, region: { enabled: false } },
  });
  expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  expect([...root(transcript).querySelectorAll("[style]")]).toEqual([]);
});

test("what a model thought before its reply is a fold of its own, and a reply without code says so", async () => {
  const transcript = shownTranscript();
  await agent.ask(questionTo(scenario("reasons"), { settings: { maxSteps: 1 } }), transcript);
  await expect.poll(() => textOf(transcript)).toContain("What the model thought");
  const thought = root(transcript).querySelector<HTMLDetailsElement>("details.reasoning");
  await expect.poll(() => thought?.textContent).toContain("Two and three are five.");
  expect(thought?.open).toBe(false);
  await expect.poll(() => textOf(transcript)).toContain("This reply holds no code, so nothing was run.");
});

test("a model that has to be asked again says so in its step, until it is known how that ended", async () => {
  const transcript = shownTranscript();
  const stop = new AbortController();
  const outcome = agent.ask(questionTo(scenario("rate-limited"), { signal: stop.signal }), transcript);
  await expect.poll(() => textOf(transcript)).toContain("It is asked again in 20 s.");
  stop.abort();
  expect(await outcome).toEqual({ kind: "stopped" });
});

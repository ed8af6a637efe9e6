import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";

import { defineAgent } from "../../../src/ui/widget/agent/define-agent.js";
import { PartLoadError } from "../../../src/ui/widget/shared/parts.js";
import { agentIn, buttonOf, fieldOf, MODEL, showAgent, VitrineAgent } from "./agent-page.js";
import { drawn, messagesOf, partOf, partsOf, show, showCell, statusOf, until } from "./cell-page.js";
import { untilAgentStopped, useScriptedParts, type ScriptedParts } from "./scripted-parts.js";

let scripted: ScriptedParts;

beforeEach(() => {
  scripted = useScriptedParts();
});

afterEach(() => {
  document.body.replaceChildren();
  localStorage.clear();
});

const question = (agent: VitrineAgent): HTMLInputElement | HTMLTextAreaElement => fieldOf(agent, "Ask about this page");
const active = (agent: VitrineAgent): Element | null => agent.shadowRoot?.activeElement ?? null;
const texts = (agent: VitrineAgent, part: string): string[] =>
  partsOf(agent, part).map(({ textContent }) => textContent);

test("Enter asks, Shift+Enter begins a line; question and answer are above the field, which keeps the focus", async () => {
  const agent = await showAgent();
  await userEvent.click(question(agent));
  await userEvent.keyboard("How many{Shift>}{Enter}{/Shift}orders?");
  expect(question(agent).value).toBe("How many\norders?");
  expect(scripted.questions).toEqual([]);

  await userEvent.keyboard("{Enter}");

  await until(() => expect(statusOf(agent)).toMatch(/^Answered in .* s\.$/));
  expect(scripted.questions.map((each) => each.question)).toEqual(["How many\norders?"]);
  expect(texts(agent, "question")).toEqual(["How many\norders?"]);
  expect(texts(agent, "exchange")[0]).toContain("Working on: How many\norders?");
  expect(question(agent).value).toBe("");
  expect(active(agent)).toBe(question(agent));
});

test("what is asked has the settings of the markup, and the page without the agent", async () => {
  document.title = "Orders";
  const agent =
    await showAgent(`<h1>All orders</h1><p>Norway 3</p><p hidden>unseen</p><p style="display: none">unseen</p>
    <vitrine-agent ${MODEL} key="none" session=" tour " deps="attrs" texts="llms.txt /index.json" steps="5"
      instructions="Be brief." setup="a = 1" timeout="5"><p>What I am</p></vitrine-agent><p>After</p>`);

  const outcome = await agent.ask("  How many? ");

  expect(outcome).toEqual({ kind: "answered", text: "Answer to How many?" });
  const [asked] = scripted.questions;
  expect(asked).toMatchObject({
    question: "How many?",
    model: { baseURL: "https://models.test/v1", model: "small", apiKey: null },
    settings: {
      interpreter: { session: "tour", deps: ["attrs"], setup: "a = 1", timeout: 5000, trust: "sandboxed" },
      texts: [new URL("llms.txt", document.baseURI).href, new URL("/index.json", document.baseURI).href],
      instructions: "Be brief.",
      maxSteps: 5,
    },
    page: { title: "Orders", url: location.origin + location.pathname },
    isFollowUp: false,
  });
  expect(asked?.page.text).toBe("All orders\nNorway 3\nAfter");
  expect(scripted.agents[0]?.runtime).toBe(scripted.scripted);
});

test("of a long page a model gets 20,000 characters", async () => {
  const agent = await showAgent(`<p>${"word ".repeat(30_000)}</p><p>End</p><vitrine-agent ${MODEL}></vitrine-agent>`);

  await agent.ask("What?");

  expect(scripted.questions[0]?.page.text.length).toBe(20_000);
});

test("questions follow one another; New question forgets them", async () => {
  const agent = await showAgent();
  await agent.ask("One?");
  await agent.ask("Two?");
  expect(scripted.questions.map(({ isFollowUp }) => isFollowUp)).toEqual([false, true]);
  expect(texts(agent, "question")).toEqual(["One?", "Two?"]);

  partOf(agent, "fresh").click();

  expect(partsOf(agent, "exchange")).toEqual([]);
  expect(partsOf(agent, "fresh")).toEqual([]);
  expect(statusOf(agent)).toBe("What was asked before is forgotten.");
  expect(active(agent)).toBe(question(agent));
  expect(scripted.agents.map(({ isClosed }) => isClosed)).toEqual([true]);
  await agent.ask("Three?");
  expect(scripted.questions.map(({ isFollowUp }) => isFollowUp)).toEqual([false, true, false]);
  expect(scripted.agents).toHaveLength(2);
});

test("examples are buttons that ask, until something was asked", async () => {
  const agent = await showAgent(
    `<vitrine-agent ${MODEL}><p>What I am</p><ul slot="examples"><li>Which  <b>country</b>?</li><li> </li></ul></vitrine-agent>`,
  );
  expect(texts(agent, "example")).toEqual(["Which country?"]);
  expect(agent.querySelector("ul")?.getClientRects()).toHaveLength(0);
  expect(agent.querySelector("p")?.getClientRects()).toHaveLength(1);

  partOf(agent, "example").click();

  await until(() => expect(statusOf(agent)).toContain("Answered"));
  expect(scripted.questions.map((each) => each.question)).toEqual(["Which country?"]);
  expect(partsOf(agent, "example")).toEqual([]);
});

test("while the agent works Ask is Stop, and phases are said as in cells", async () => {
  const agent = await showAgent();
  scripted.answer = (asked) => {
    asked.onPhase({ kind: "loading-python", loaded: 3_900_000, total: 6_300_000 });
    return untilAgentStopped({ ...asked, onPhase: () => undefined });
  };
  question(agent).value = "How many?";
  partOf(agent, "ask").focus();
  await userEvent.keyboard("{Enter}");
  await until(() => expect(statusOf(agent)).toBe("Loading Python, 3.9 of 6.3 MB"));
  expect(partOf(agent, "progress").getAttribute("aria-valuenow")).toBe("62");
  // Read out are the words without the bytes.
  expect(agent.shadowRoot?.querySelector("[role=status]")?.textContent).toBe("Loading Python");
  expect(active(agent)).toBe(partOf(agent, "stop"));
  const going = agent.ask("Another?");

  await userEvent.keyboard("{Enter}");

  expect(await going).toEqual({ kind: "stopped" });
  await until(() => expect(statusOf(agent)).toMatch(/^Stopped after/));
  expect(active(agent)).toBe(partOf(agent, "ask"));
  expect(scripted.questions).toHaveLength(1);
});

test("Enter asks no second question while the first is worked on, and what is written stays", async () => {
  const agent = await showAgent();
  scripted.answer = untilAgentStopped;
  void agent.ask("One?");
  await userEvent.click(question(agent));

  await userEvent.keyboard("Two?{Enter}");

  expect(scripted.questions).toHaveLength(1);
  expect(question(agent).value).toBe("Two?");
});

test("the Enter that ends a word of an input method asks nothing", async () => {
  const agent = await showAgent();
  const field = question(agent);
  field.value = "にほん";
  const enter = (isComposing: boolean): boolean =>
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing, cancelable: true }));
  expect(enter(true)).toBe(true);
  // Safari sends the key when the composition has ended.
  field.dispatchEvent(new CompositionEvent("compositionend"));
  expect(enter(false)).toBe(true);
  await drawn();
  expect(scripted.questions).toEqual([]);
});

test("keys that are typed into a question are kept from the page", async () => {
  const agent = await showAgent();
  const keys: string[] = [];
  const listen = ({ key }: KeyboardEvent): void => void keys.push(key);
  document.addEventListener("keydown", listen);

  await userEvent.click(question(agent));
  await userEvent.keyboard("s/a");

  expect(keys).toEqual([]);
  document.removeEventListener("keydown", listen);
});

test("input() asks in the agent; the focus goes there and back", async () => {
  const agent = await showAgent();
  scripted.answer = async ({ onInput, signal }) => ({ kind: "answered", text: await onInput("Name? ", { signal }) });
  question(agent).value = "Who am I?";
  question(agent).focus();
  await userEvent.keyboard("{Enter}");
  await until(() => expect(statusOf(agent)).toBe("Waiting for your input"));

  await userEvent.keyboard("Ada{Enter}");

  await until(() => expect(statusOf(agent)).toContain("Answered"));
  expect(active(agent)).toBe(question(agent));
});

test("the page hears how a question ended, and the reader gets a sentence", async () => {
  const agent = await showAgent();
  const heard: unknown[] = [];
  document.body.addEventListener("vitrine-answer", ({ detail }) => heard.push(detail), { once: true });
  const failed = { kind: "failed", message: "The server said no.", isOfModel: true } as const;
  scripted.answer = () => Promise.resolve(failed);

  await agent.ask("How many?");

  expect(heard).toEqual([failed]);
  expect(messagesOf(agent)).toEqual(["The server said no."]);
  expect(statusOf(agent)).toMatch(/^No answer after/);
  expect(agent.shadowRoot?.querySelector("details")?.open).toBe(true);
});

test("a question that could not be asked is the reader's again", async () => {
  const agent = await showAgent();
  scripted.failure = new PartLoadError("The script did not load.");
  const heard: Error[] = [];
  agent.addEventListener("vitrine-error", ({ detail }) => heard.push(detail));
  question(agent).value = "How many?";

  partOf(agent, "ask").click();

  await until(() => expect(messagesOf(agent)).toEqual(["The script did not load."]));
  expect(heard).toEqual([scripted.failure]);
  expect(statusOf(agent)).toBe("The question was not asked.");
  expect(question(agent).value).toBe("How many?");

  scripted.failure = null;
  partOf(agent, "ask").click();

  await until(() => expect(statusOf(agent)).toContain("Answered"));
  expect(texts(agent, "question")).toEqual(["How many?"]);
  expect(question(agent).value).toBe("");
});

test("a question that is asked when the end of another is heard can be stopped", async () => {
  const agent = await showAgent();
  let second: Promise<unknown> | undefined;
  agent.addEventListener(
    "vitrine-answer",
    () => {
      scripted.answer = untilAgentStopped;
      second = agent.ask("Two?");
    },
    { once: true },
  );
  await agent.ask("One?");
  await drawn();

  partOf(agent, "stop").click();

  expect(await second).toEqual({ kind: "stopped" });
});

test("a question is stopped before its script has come", async () => {
  const agent = await showAgent();
  vi.spyOn(scripted, "agent").mockReturnValue(new Promise(() => undefined));
  const outcome = agent.ask("How many?");
  expect(statusOf(agent)).toBe("Loading Vitrine");

  agent.stop();

  expect(await outcome).toBeNull();
  expect(statusOf(agent)).toBe("Stopped.");
  await drawn();
  expect(buttonOf(agent, "Ask")).toBeInstanceOf(HTMLButtonElement);
});

test("an empty question is none", async () => {
  const agent = await showAgent();
  partOf(agent, "ask").click();
  expect(statusOf(agent)).toBe("Write a question first.");
  expect(active(agent)).toBe(question(agent));
  expect(await agent.ask(" \n ")).toBeNull();
});

test("values that mean nothing are named, and the agent does not ask until they are mended", async () => {
  const agent = await showAgent(
    '<vitrine-agent trust="root" steps="many" endpoint="ftp://x" model="m" key="mine" texts="javascript:1" setup="#no"></vitrine-agent>',
  );
  const said = messagesOf(agent).join("\n");
  for (const name of ["trust=", "steps=", "endpoint=", "key=", "texts:", "setup="]) expect(said).toContain(name);
  expect(partOf(agent, "ask").getAttribute("aria-disabled")).toBe("true");
  const heard: Error[] = [];
  agent.addEventListener("vitrine-error", ({ detail }) => heard.push(detail));
  expect(await agent.ask("How many?")).toBeNull();
  expect(heard).toMatchObject([{ code: "AGENT_MARKUP" }]);

  for (const name of ["trust", "steps", "key", "texts", "setup"]) agent.removeAttribute(name);
  agent.setAttribute("endpoint", "/v1");
  await drawn();

  expect(messagesOf(agent)).toEqual([]);
  expect(await agent.ask("How many?")).toMatchObject({ kind: "answered" });
  expect(scripted.questions[0]?.model.baseURL).toBe(`${location.origin}/v1`);
});

test("a session has one trust level, that of its first cell", async () => {
  const agent = await showAgent(
    `<vitrine-cell session="tour" trust="local"><pre>1</pre></vitrine-cell><vitrine-agent ${MODEL} session="tour"></vitrine-agent>`,
  );
  expect(messagesOf(agent)[0]).toContain('the session "tour" is local');
});

test("an agent has what the hidden cells before it give to their session", async () => {
  const agent =
    await showAgent(`<vitrine-cell hidden session="hidden-tour" deps="attrs" files="a.csv"><pre>a = 1</pre></vitrine-cell>
    <vitrine-cell hidden session="other"><pre>b = 1</pre></vitrine-cell>
    <vitrine-agent ${MODEL} session="hidden-tour" deps="rich"></vitrine-agent>
    <vitrine-cell hidden session="hidden-tour"><pre>c = 1</pre></vitrine-cell>`);

  await agent.ask("How many?");

  const settings = scripted.questions[0]?.settings;
  expect(settings?.before).toEqual(["a = 1"]);
  expect(settings?.interpreter).toMatchObject({ deps: ["attrs", "rich"], files: [{ path: "a.csv" }] });
});

test("an agent that is removed while it works is stopped and closed; it comes back without what was asked", async () => {
  const agent = await showAgent();
  scripted.answer = untilAgentStopped;
  const outcome = agent.ask("How many?");
  await until(() => expect(scripted.questions).toHaveLength(1));

  agent.remove();

  expect(await outcome).toEqual({ kind: "stopped" });
  expect(scripted.agents[0]?.isClosed).toBe(true);
  document.body.append(agent);
  expect(partsOf(agent, "exchange")).toEqual([]);
  scripted.answer = () => Promise.resolve({ kind: "answered", text: "3" });
  expect(await agent.ask("Again?")).toMatchObject({ kind: "answered" });
  expect(scripted.questions.map(({ isFollowUp }) => isFollowUp)).toEqual([false, false]);
});

test("an agent that is moved goes on", async () => {
  const agent = await showAgent();
  scripted.answer = untilAgentStopped;
  void agent.ask("How many?");
  await until(() => expect(scripted.questions).toHaveLength(1));

  document.body.prepend(agent);
  await drawn();

  expect(scripted.questions[0]?.signal.aborted).toBe(false);
  agent.stop();
});

test("a session stays while a cell or an agent has its name", async () => {
  const agent = await showAgent(`<vitrine-agent ${MODEL} session="tour"></vitrine-agent>`);
  const cell = await showCell('<vitrine-cell session="tour"><pre>1</pre></vitrine-cell>');
  await cell.run();

  cell.remove();
  await drawn();
  expect(scripted.scripted.closed).toEqual([]);
  agent.remove();
  await drawn();
  expect(scripted.scripted.closed).toEqual(["tour"]);
});

test("an element that was there before its script is the same", async () => {
  const name = "test-late-agent";
  const place = await show(`<${name} ${MODEL}><ul slot="examples"><li>Which?</li></ul></${name}>`);
  class LateAgent extends VitrineAgent {}
  customElements.define(name, LateAgent);
  expect(texts(agentIn(place, name), "example")).toEqual(["Which?"]);
});

test("examples that come later become buttons, too", async () => {
  const agent = await showAgent();
  agent.innerHTML = "<ul slot='examples'><li>Which?</li></ul>";
  await until(() => expect(texts(agent, "example")).toEqual(["Which?"]));
});

test("of two versions on a page the first answers, and says so", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const agent = await showAgent();
  class OtherAgent extends VitrineAgent {
    static override readonly version = "99.0.0";
  }
  defineAgent(OtherAgent);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("and 99.0.0"));

  await agent.ask("How many?");
  await drawn();

  expect(messagesOf(agent).join()).toContain("99.0.0. The agents are run by");
  VitrineAgent.otherVersions.clear();
  warn.mockRestore();
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { STORAGE_KEY } from "../../../src/ui/widget/agent/kept-models.js";
import { agentIn, buttonOf, fieldOf, fillModel, MODEL, showAgent, useModel, type VitrineAgent } from "./agent-page.js";
import { drawn, messagesOf, partOf, show, statusOf } from "./cell-page.js";
import { useScriptedParts, type ScriptedParts } from "./scripted-parts.js";

let scripted: ScriptedParts;
/** Keys are in the memory of the page: each test has servers of its own. */
let testNumber = 0;
let server = "";
let other = "";

beforeEach(() => {
  scripted = useScriptedParts();
  testNumber += 1;
  server = `https://one-${testNumber}.test/v1`;
  other = `https://two-${testNumber}.test/v1`;
});

afterEach(() => {
  for (const agent of document.querySelectorAll("vitrine-agent")) forgetIn(agent);
  document.body.replaceChildren();
  localStorage.clear();
  vi.restoreAllMocks();
});

function forgetIn(agent: Element): void {
  const buttons = [...(agent.shadowRoot?.querySelectorAll("button") ?? [])];
  buttons.find(({ textContent }) => textContent === "Forget")?.click();
}

const reach = (agent: VitrineAgent): string => agent.shadowRoot?.getElementById("reach")?.textContent ?? "";
const keysAsked = (): (string | null)[] => scripted.questions.map(({ model }) => model.apiKey);
const addressesAsked = (): string[] => scripted.questions.map(({ model }) => model.baseURL);
const fold = (agent: VitrineAgent): string => agent.shadowRoot?.querySelector("summary")?.textContent ?? "";

test("without a model the agent says what it could do and what is missing, and nothing is asked", async () => {
  const request = vi.spyOn(globalThis, "fetch");
  const agent = await showAgent("<vitrine-agent texts='llms.txt'></vitrine-agent>");
  expect(messagesOf(agent)).toEqual([
    "This agent can answer questions about this page by running Python here and by searching the texts of this site. It needs a model: the address of a server that speaks OpenAI’s protocol, one on your own machine for instance. Name it under “Model”.",
  ]);
  expect(fold(agent)).toBe("Model: none yet");
  const heard: Error[] = [];
  agent.addEventListener("vitrine-error", ({ detail }) => heard.push(detail));
  fieldOf(agent, "Ask about this page").value = "How many?";

  partOf(agent, "ask").click();
  await drawn();

  expect(scripted.agents).toEqual([]);
  expect(request).not.toHaveBeenCalled();
  expect(heard).toMatchObject([{ code: "AGENT_MODEL_MISSING" }]);
  expect(agent.shadowRoot?.activeElement).toBe(fieldOf(agent, "Address of the server"));
  expect(fieldOf(agent, "Ask about this page").value).toBe("How many?");
});

test("the reader names a model with a key, which all agents of the page may use for that server", async () => {
  const agent = await showAgent("<vitrine-agent></vitrine-agent>");
  const second = agentIn(await show("<vitrine-agent></vitrine-agent>"));
  useModel(agent, { address: `${server}/`, model: "small", key: "sk-1" });
  await drawn();

  expect(messagesOf(agent)).toEqual([]);
  expect(messagesOf(second)).toEqual([]);
  expect(fold(second)).toBe(`Model: small at one-${testNumber}.test`);
  expect(fieldOf(agent, "Key").value).toBe("");
  expect(agent.shadowRoot?.activeElement).toBe(fieldOf(agent, "Ask about this page"));
  await agent.ask("One?");
  await second.ask("Two?");
  expect(keysAsked()).toEqual(["sk-1", "sk-1"]);
  expect(addressesAsked()).toEqual([server, server]);
  expect(localStorage.getItem(STORAGE_KEY)).toBeNull();
});

test("what is filled in is used with the next question, and says beforehand who gets it", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small"></vitrine-agent>`);
  expect(reach(agent)).toBe(
    `Your key goes to one-${testNumber}.test, and to no other site. Your questions, the text of this page and what the agent’s code prints go there too.`,
  );
  fillModel(agent, { address: other, key: "sk-2" });
  expect(reach(agent)).toContain(`Your key goes to two-${testNumber}.test, and to no other site.`);
  expect(reach(agent)).toContain(`The page itself names one-${testNumber}.test, which gets nothing then.`);

  await agent.ask("One?");

  expect(scripted.questions[0]?.model).toEqual({ baseURL: other, model: "small", apiKey: "sk-2" });
});

test("a key goes to no other origin than the one it was entered for", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small"></vitrine-agent>`);
  useModel(agent, { key: "sk-1", isKept: true });
  await agent.ask("One?");

  useModel(agent, { address: other });
  await agent.ask("Two?");
  agent.setAttribute("endpoint", `https://three-${testNumber}.test/v1`);
  await drawn();
  expect(statusOf(agent)).toBe(`This page now names three-${testNumber}.test for its model.`);
  await agent.ask("Three?");

  expect(addressesAsked()).toEqual([server, other, `https://three-${testNumber}.test/v1`]);
  expect(keysAsked()).toEqual(["sk-1", null, null]);
});

test("a key that is being filled in is not meant for another server that the page names meanwhile", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small"></vitrine-agent>`);
  fillModel(agent, { key: "sk-1" });

  agent.setAttribute("endpoint", other);
  await agent.ask("One?");
  await drawn();
  await agent.ask("Two?");

  expect(fieldOf(agent, "Key").value).toBe("");
  expect(keysAsked().includes("sk-1") && addressesAsked()[keysAsked().indexOf("sk-1")] !== server).toBe(false);
});

test("what is kept is there again for the same server, and for no other", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small"></vitrine-agent>`);
  useModel(agent, { key: "sk-1", isKept: true });
  const kept = localStorage.getItem(STORAGE_KEY) ?? "";
  expect(JSON.parse(kept)).toEqual([{ site: server, baseURL: server, model: null, apiKey: "sk-1" }]);

  buttonOf(agent, "Ask");
  forgetIn(agent);
  expect(localStorage.getItem(STORAGE_KEY)).toBeNull();
  await agent.ask("One?");
  localStorage.setItem(STORAGE_KEY, kept);
  await agent.ask("Two?");
  agent.setAttribute("endpoint", `${server}/other`);
  await agent.ask("Three?");
  // The model is the page's, which may have moved on.
  agent.setAttribute("endpoint", server);
  agent.setAttribute("model", "large");
  await agent.ask("Four?");

  expect(keysAsked()).toEqual([null, "sk-1", null, "sk-1"]);
  expect(scripted.questions.map(({ model }) => model.model)).toEqual(["small", "small", "small", "large"]);
});

test("what the page names later for its own server says nothing of the reader's", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small"></vitrine-agent>`);
  useModel(agent, { address: other });

  agent.setAttribute("model", "large");
  await agent.ask("One?");

  expect(scripted.questions[0]?.model).toMatchObject({ baseURL: other, model: "small" });
});

test("without the tick a key that was kept is kept no more, and stays until the page is left", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small"></vitrine-agent>`);
  useModel(agent, { key: "sk-1", isKept: true });
  expect(fieldOf(agent, "Keep on this device")).toHaveProperty("checked", true);

  useModel(agent, { isKept: false });

  expect(localStorage.getItem(STORAGE_KEY)).toBeNull();
  await agent.ask("One?");
  expect(keysAsked()).toEqual(["sk-1"]);
});

test("Forget takes key and choice away, and the page's own model is back", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small"></vitrine-agent>`);
  useModel(agent, { address: other, model: "large", key: "sk-1", isKept: true });
  fillModel(agent, {});

  buttonOf(agent, "Forget").click();

  expect(statusOf(agent)).toBe("What you entered for the model is forgotten.");
  expect(localStorage.getItem(STORAGE_KEY)).toBeNull();
  expect(fieldOf(agent, "Address of the server").value).toBe(server);
  useModel(agent, { address: other });
  await agent.ask("One?");
  expect(scripted.questions[0]?.model).toEqual({ baseURL: other, model: "small", apiKey: null });
});

test.each(["{", "[1]", '[{"site":"","baseURL":"javascript:1","model":null,"apiKey":"k"}]', '{"length":1}'])(
  "what is kept and cannot be read is removed, and the agent says so: %s",
  async (text) => {
    localStorage.setItem(STORAGE_KEY, text);

    const agent = await showAgent();

    expect(messagesOf(agent)).toEqual(["What this device kept of your models could not be read, and was removed."]);
    expect(localStorage.getItem(STORAGE_KEY)).toBeNull();
    expect(await agent.ask("How many?")).toMatchObject({ kind: "answered" });
  },
);

test("a browser that keeps nothing is named; the key works until the page is left", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small"></vitrine-agent>`);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("No.", "QuotaExceededError");
  });

  useModel(agent, { key: "sk-1", isKept: true });

  expect(messagesOf(agent)).toEqual([
    "This browser keeps nothing for this page: the key is forgotten when you leave it.",
  ]);
  expect(fieldOf(agent, "Keep on this device")).toHaveProperty("checked", false);
  await agent.ask("One?");
  expect(keysAsked()).toEqual(["sk-1"]);
});

test("a page whose storage is blocked has agents all the same", async () => {
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("No.", "SecurityError");
  });
  const agent = await showAgent();
  expect(await agent.ask("How many?")).toMatchObject({ kind: "answered" });
});

test("a site says whether its server wants a key", async () => {
  const agent = await showAgent(`<vitrine-agent endpoint="${server}" model="small" key="reader"></vitrine-agent>`);
  expect(messagesOf(agent)[0]).toContain(`It needs your key for one-${testNumber}.test, under “Model”.`);
  expect(await agent.ask("One?")).toBeNull();
  useModel(agent, { key: "sk-1" });
  await agent.ask("Two?");

  agent.setAttribute("key", "none");
  await drawn();
  fillModel(agent, {});
  expect(fieldOf(agent, "Key").getClientRects()).toHaveLength(0);
  expect(reach(agent)).toContain("No key is needed.");
  await agent.ask("Three?");
  expect(keysAsked()).toEqual(["sk-1", null]);
});

test.each([
  [{ address: "models" }, "it is no address"],
  [{ address: "ftp://models.test" }, "begins with ftp:"],
  [{ address: "https://me:secret@models.test" }, "user name or password"],
  [{ address: "https://models.test/v1?key=1" }, "has a ? or #"],
  [{ model: " " }, "Name a model"],
  [{ key: "sk 1" }, "blank"],
])("what cannot be used is said, and nothing is asked: %o", async (fields, words) => {
  const agent = await showAgent(`<vitrine-agent ${MODEL}></vitrine-agent>`);
  useModel(agent, fields);
  expect(messagesOf(agent).join()).toContain(words);

  expect(await agent.ask("One?")).toBeNull();

  expect(scripted.questions).toEqual([]);
});

import { afterEach, beforeEach, expect, test } from "vitest";

import type { PageAgent } from "../../../src/ui/widget/agent-parts.js";
import { openPageAgent } from "../../../src/ui/widget/agent-runtime/index.js";
import { openRuntime, type OpenRuntime } from "../../../src/ui/widget/runtime/index.js";
import { dictated, KEY, python, questionTo, scenario, shownTranscript, textOf } from "./agents.js";
import { addressOf } from "./cells.js";

let runtime: OpenRuntime;
let agent: PageAgent;
beforeEach(() => {
  runtime = openRuntime();
  agent = openPageAgent(runtime);
});
afterEach(async () => {
  await runtime.end();
  document.body.replaceChildren();
});

test.each([
  ["unauthorized", /refused the API key/],
  ["no-such-model", /There is no model "test-model"/],
  ["used-up", /is used up/],
  ["without-cors", /does not let pages of this origin ask it/],
  ["nonsense", /not a reply of the OpenAI protocol/],
])("a server that is %s is named, as something that settings may mend", async (name, message) => {
  const outcome = await agent.ask(questionTo(scenario(name)), shownTranscript());
  expect(outcome).toMatchObject({ kind: "failed", isOfModel: true, message: expect.stringMatching(message) as string });
});

test("a server that the policy of the site blocks is named as that", async () => {
  const asking = agent.ask(questionTo(scenario("without-cors")), shownTranscript());
  const told = setInterval(() => {
    // What a browser says of such a request.
    const blocked = { blockedURI: scenario("without-cors").baseURL, effectiveDirective: "connect-src" };
    const about = { documentURI: location.href, violatedDirective: "connect-src", originalPolicy: "" };
    document.dispatchEvent(
      new SecurityPolicyViolationEvent("securitypolicyviolation", {
        ...about,
        ...blocked,
        disposition: "enforce",
        statusCode: 200,
      }),
    );
  }, 10);
  try {
    expect(await asking).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("Content Security Policy of this site blocks http://127.0.0.1") as string,
    });
  } finally {
    clearInterval(told);
  }
});

test("settings that make no request are refused before Python is loaded", async () => {
  const bad = { baseURL: "nowhere", model: "m", apiKey: KEY };
  const outcome = await agent.ask(questionTo(bad), shownTranscript());
  expect(outcome).toMatchObject({
    kind: "failed",
    isOfModel: true,
    message: expect.stringContaining("baseURL") as string,
  });
});

test("a step limit says what was found last", async () => {
  const asked = questionTo(dictated(python("print('half of it')")), { settings: { maxSteps: 1 } });
  expect(await agent.ask(asked, shownTranscript())).toEqual({
    kind: "failed",
    isOfModel: false,
    message: "The agent came to no answer in the one step that it had. What it found last: half of it",
  });
});

test("a reply that the server cut is said to be cut, in its step and in the outcome", async () => {
  const transcript = shownTranscript();
  const outcome = await agent.ask(questionTo(scenario("truncated"), { settings: { maxSteps: 1 } }), transcript);
  expect(outcome).toMatchObject({
    kind: "failed",
    message: expect.stringContaining("cut off at its server's limit") as string,
  });
  await expect.poll(() => textOf(transcript)).toContain("cut this reply off at its limit of length");
});

test("an error of the code is shown in its step, and the task goes on", async () => {
  const transcript = shownTranscript();
  const outcome = await agent.ask(questionTo(dictated(python("1 / 0"), python("final_answer('mended')"))), transcript);
  expect(outcome).toEqual({ kind: "answered", text: "mended" });
  await expect.poll(() => textOf(transcript)).toContain("ZeroDivisionError");
});

test("a file that is missing rejects, with the sentence that cells have", async () => {
  const files = [{ url: addressOf("none.csv"), path: "none.csv" }];
  const asked = questionTo(scenario("streams"), { interpreter: { files } });
  await expect(agent.ask(asked, shownTranscript())).rejects.toMatchObject({ code: "CELL_FILE" });
});

test("what would change what stays is refused to the code, with a sentence that it reads", async () => {
  const code = `
try:
    skills.create(name="s", source="def run() -> int:\\n    '''One.'''\\n    return 1\\n", description="One.")
    final_answer("saved")
except Exception as error:
    final_answer(type(error).__name__)`;
  const outcome = await agent.ask(questionTo(dictated(python(code))), shownTranscript());
  expect(outcome).toMatchObject({ kind: "answered", text: expect.not.stringMatching(/^saved$/) as string });
});

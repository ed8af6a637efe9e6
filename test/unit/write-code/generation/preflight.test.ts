import { describe, expect, test } from "vitest";

import { openaiModel } from "../../../../src/model/index.js";
import { preflight, type PreflightOptions } from "../../../../src/write-code/generation/preflight.js";
import type { WriteCodeOptions } from "../../../../src/write-code/write-code-options.js";
import { scriptedModel } from "../../../write-code/scripted-models.js";
import { writingFiles } from "../../../write-code/scripted-writing.js";

const problems = async (options: Partial<WriteCodeOptions>, about: Partial<PreflightOptions> = {}) =>
  (await preflight({ models: [scriptedModel("A", "")], ...options }, { hasCode: true, ...about })).problems;
const openai = (baseURL: string, apiKey = "") => openaiModel({ baseURL, apiKey, model: "m" });

describe("before a batch is begun", () => {
  test("nothing is in the way of models with names, a root and room, and no model is asked (W88)", async () => {
    const [a, b, arbiter] = [scriptedModel("A", ""), scriptedModel("B", ""), scriptedModel("J", "")];

    const report = await preflight(
      { models: [a, b], arbiter, fallback: arbiter, root: "site/src" },
      {
        hasCode: true,
        files: writingFiles({ "site/index.html": "" }),
        estimate: () => Promise.resolve({ usage: 0, quota: 1e9 }),
      },
    );

    expect(report).toEqual({ problems: [], error: null });
    expect(a.asked.length + b.asked.length + arbiter.asked.length).toBe(0);
  });

  test("a root outside the workspace is a mistake of the configuration (W14)", async () => {
    const { error } = await preflight({ models: [scriptedModel("A", "")], root: "../elsewhere" }, { hasCode: true });

    expect(error).toMatch(/^Configuration Error in WriteCodeTool: The root '\.\.\/elsewhere' leads out of its folder/);
    expect(await problems({ root: "/etc" })).toEqual([expect.stringContaining("is not a folder of /workspace")]);
  });

  test("a root that is a file, or lies in one, can hold no files (W88)", async () => {
    const files = writingFiles({ site: "text" });

    expect(await problems({ root: "site" }, { files })).toEqual([expect.stringContaining("'site' is a file")]);
    expect(await problems({ root: "site/src" }, { files })).toEqual([expect.stringContaining("'site' is a file")]);
  });

  test.each(["https://api.openai.com/v1", "https://openrouter.ai/api/v1", "https://api.groq.com/openai/v1"])(
    "a key that %s wants and that is missing is reported (W16)",
    async (baseURL) => {
      expect(await problems({ models: [openai(baseURL)] })).toEqual([
        `The model "m" has no API key, and ${new URL(baseURL).hostname} wants one. Enter it in the settings.`,
      ]);
      expect(await problems({ models: [openai(baseURL, "sk-0123456789")] })).toEqual([]);
    },
  );

  test("so is the key of the arbiter and of the fallback, once for both (W16)", async () => {
    const keyless = openai("https://openrouter.ai/api/v1");

    expect(await problems({ arbiter: keyless, fallback: keyless })).toHaveLength(1);
  });

  test("a server of one's own needs no key (W16)", async () => {
    expect(await problems({ models: [openai("http://localhost:11434/v1")] })).toEqual([]);
    expect(openai("http://127.0.0.1:1234/v1").problem?.()).toBeNull();
    expect(openai("https://notopenrouter.ai/v1").problem?.()).toBeNull();
  });

  test("no models and no fallback are a mistake, and a fallback alone is none (W85)", async () => {
    expect(await problems({ models: [] })).toEqual([expect.stringContaining("There is no model to write files")]);
    expect(await problems({ models: [], fallback: scriptedModel("F", "") })).toEqual([]);
    expect(await problems({ models: [] }, { hasCode: false })).toEqual([]);
  });

  test("models are distinguished by their names (W88)", async () => {
    const models = [scriptedModel("A", ""), scriptedModel("B", ""), scriptedModel("A", "")];

    expect(await problems({ models })).toEqual([expect.stringContaining('Two of `models` are called "A"')]);
    expect(await problems({ models: [scriptedModel(" ", "")] })).toEqual(["One of the models has no name."]);
  });

  test("a browser that is full is reported, and one that does not say is not asked twice (W88)", async () => {
    const full = () => Promise.resolve({ usage: 999_990_000, quota: 1e9 });
    const silent = () => Promise.reject(new Error("no"));

    expect(await problems({}, { estimate: full })).toEqual([expect.stringContaining("only 10 kB more")]);
    expect(await problems({}, { estimate: () => Promise.resolve({}) })).toEqual([]);
    expect(await problems({}, { estimate: silent })).toEqual([]);
  });

  test("a model whose look at itself fails is reported (W88)", async () => {
    const model = {
      ...scriptedModel("A", ""),
      problem: () => {
        throw new Error("broken");
      },
    };

    expect(await problems({ models: [model] })).toEqual(['The model "A" cannot be asked: broken.']);
  });
});

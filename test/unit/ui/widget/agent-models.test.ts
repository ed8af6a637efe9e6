import { expect, test } from "vitest";

import { parseKeptModels } from "../../../../src/ui/widget/agent/kept-models.js";
import { readModelAddress } from "../../../../src/ui/widget/agent/model-address.js";

test("one server has one address", () => {
  for (const text of [
    "https://API.example.org/v1/",
    " https://api.example.org:443/v1//",
    "https://api.example.org/v1",
  ]) {
    expect(readModelAddress(text, { isSecure: true })).toEqual({ kind: "usable", url: "https://api.example.org/v1" });
  }
  expect(readModelAddress("api", { isSecure: true, base: "https://site.example/docs/page" })).toEqual({
    kind: "usable",
    url: "https://site.example/docs/api",
  });
});

test("a page that came over https asks by http only what is on the reader's machine", () => {
  const kinds = (isSecure: boolean): string[] =>
    ["http://models.test/v1", "http://localhost:11434/v1", "http://127.0.0.1/v1", "http://localhost.evil.test/v1"].map(
      (text) => readModelAddress(text, { isSecure }).kind,
    );
  expect(kinds(true)).toEqual(["refused", "usable", "usable", "refused"]);
  expect(kinds(false)).toEqual(["usable", "usable", "usable", "usable"]);
});

const model = { site: "", baseURL: "https://a.test/v1", model: null, apiKey: "k" };

test("what was kept is what was written, and nothing else", () => {
  const whole = [model, { ...model, site: "https://b.test", model: "m", apiKey: null }];
  expect(parseKeptModels(JSON.stringify(whole))).toEqual(whole);
  const damaged = [
    "",
    "null",
    "{}",
    "[null]",
    JSON.stringify([{ ...model, more: 1 }]),
    JSON.stringify([{ ...model, apiKey: 1 }]),
    JSON.stringify([{ ...model, apiKey: "" }]),
    JSON.stringify([{ ...model, baseURL: "https://a.test/v1/" }]),
    JSON.stringify([{ ...model, baseURL: "https://me:secret@a.test" }]),
    JSON.stringify([{ ...model, site: "javascript:1" }]),
    JSON.stringify([{ site: "", baseURL: model.baseURL, model: null }]),
    JSON.stringify(Array.from({ length: 2000 }, () => model)),
  ];
  expect(damaged.map((text) => parseKeptModels(text))).toEqual(damaged.map(() => null));
});

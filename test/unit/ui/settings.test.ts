import { expect, test } from "vitest";

import { DEFAULT_SETTINGS, Settings, type KeyValueStore } from "../../../src/ui/state/session/settings.js";

function store(): KeyValueStore & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return { texts, getItem: (key) => texts.get(key) ?? null, setItem: (key, value) => void texts.set(key, value) };
}

const mine = {
  ...DEFAULT_SETTINGS,
  kind: "openai",
  baseURL: "http://localhost/v1",
  model: "m",
  apiKey: "secret",
} as const;

test("the key is kept only when the user asks for it; the rest always", () => {
  const kept = store();

  new Settings(() => kept).save({ ...mine, keepKey: false });
  expect([...kept.texts.values()].join("")).not.toContain("secret");
  expect(new Settings(() => kept).current).toEqual({ ...mine, apiKey: "", keepKey: false });

  new Settings(() => kept).save({ ...mine, keepKey: true });
  expect(new Settings(() => kept).current).toEqual({ ...mine, keepKey: true });

  new Settings(() => kept).save({ ...mine, keepKey: false });
  expect([...kept.texts.values()].join("")).not.toContain("secret");
});

test("a browser that keeps nothing is said, and the settings hold until the page is left", () => {
  const settings = new Settings(() => {
    throw new Error("denied");
  });

  expect(settings.current).toEqual(DEFAULT_SETTINGS);
  expect(settings.save(mine)).toContain("denied");
  expect(settings.current).toEqual(mine);
});

test("whether the model takes images is kept, and is no where settings of an earlier page do not say", () => {
  const kept = store();
  new Settings(() => kept).save({ ...mine, sees: true });
  expect(new Settings(() => kept).current.sees).toBe(true);

  const [[key, text] = ["", "{}"]] = kept.texts;
  kept.setItem(key, text.replace('"sees":true,', ""));
  expect(new Settings(() => kept).current).toMatchObject({ model: "m", sees: false });
});

test("what cannot be read counts as nothing", () => {
  const damaged = store();
  damaged.setItem("vitrine-demo.settings", "{");

  expect(new Settings(() => damaged).current).toEqual(DEFAULT_SETTINGS);
});

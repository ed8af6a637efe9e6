import { expect, test } from "vitest";

import { DEFAULT_WRITERS, readWriters, writeCodeOptions } from "../../../src/ui/state/session/writer-settings.js";

const writers = { isOn: true, models: " small \n\nlarge\nsmall\n", arbiter: " judge ", fallback: "" };

test("names are one in each line, each once, without blanks around them", () => {
  expect(readWriters(writers)).toEqual({ isOn: true, models: "small\nlarge", arbiter: "judge", fallback: "" });
});

test("where files are to be written somebody has to be named, and not more than one means", () => {
  const refused = (part: Partial<typeof writers>): unknown => {
    try {
      return readWriters({ ...writers, ...part });
    } catch (error) {
      return error;
    }
  };

  expect(refused({ models: " \n" })).toMatchObject({ code: "WRITERS", field: "writers" });
  expect(refused({ models: " \n", fallback: "small" })).toMatchObject({ fallback: "small" });
  expect(refused({ models: " \n", isOn: false })).toMatchObject({ models: "" });
  const many = Array.from({ length: 9 }, (_, index) => `m${String(index)}`).join("\n");
  expect(refused({ models: many })).toMatchObject({ code: "WRITERS" });
});

test("the models of the settings write, on the server of the settings", () => {
  const server = { baseURL: "http://localhost:1/v1", apiKey: "" };
  const heard = (): void => undefined;

  expect(writeCodeOptions({ ...server, writers: DEFAULT_WRITERS }, heard)).toBeUndefined();
  const options = writeCodeOptions({ ...server, writers: readWriters(writers) }, heard);
  expect(options?.models.map(({ name }) => name)).toEqual(["small", "large"]);
  expect(options?.arbiter?.name).toBe("judge");
  expect(options?.fallback).toBeUndefined();
  expect(options?.onEvent).toBe(heard);
});

import { expect, test } from "vitest";

import { loadToolFiles, openApiTools, ToolRegistry, type OpenApiProgress } from "../../../src/tools/index.js";
import { documentOf, ok } from "./openapi-service.js";

const paths = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`/a${String(index)}`, { get: ok, post: ok }]),
);
const text = JSON.stringify(documentOf(paths, { servers: [{ url: "https://h.test" }] }));

test("an import tells of each phase when it begins and when it is done", async () => {
  const heard: OpenApiProgress[] = [];

  await openApiTools(text, { name: "x", onProgress: (progress) => heard.push(progress) });

  expect(heard.filter(({ done, total }) => done === 0 || done === total)).toEqual([
    { phase: "reading", done: 0, total: text.length },
    { phase: "reading", done: text.length, total: text.length },
    { phase: "making", done: 0, total: 60 },
    { phase: "making", done: 60, total: 60 },
  ]);
});

test("what hears of it and throws ends the import", async () => {
  const onProgress = (): never => {
    throw new RangeError("enough");
  };

  await expect(openApiTools(text, { name: "x", onProgress })).rejects.toThrow("enough");
});

test("who waits for the tool of a file hears how far its document has come, also from the middle on, and alone fails", async () => {
  let deliver: (() => void) | undefined;
  const readDocument = async (): Promise<Uint8Array> => {
    await new Promise<void>((resolve) => (deliver = resolve));
    return new TextEncoder().encode(text);
  };
  const registry = new ToolRegistry();
  const source = { file: "x.yaml", text: "name: x\ntype: openapi\nfile: library.json\n" };
  registry.register(loadToolFiles([source], { readDocument }).adapters[0]!);
  const phases: string[] = [];
  const known = registry.whenKnown("x", ({ phase }) => phases.push(phase));
  const failing = registry.whenKnown("x", () => {
    throw new RangeError("enough");
  });

  await expect.poll(() => deliver).toBeDefined();
  deliver?.();

  await expect(failing).rejects.toThrow("enough");
  await known;
  expect([...new Set(phases)]).toEqual(["reading", "making"]);
  expect(registry.get("x")?.callables).toHaveLength(60);
});

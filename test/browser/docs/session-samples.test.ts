import workerAddress from "browser-basedpyright/dist/pyright.worker.js?url";
import { afterEach, expect, inject, test, vi } from "vitest";
import { z } from "zod";

import { findTypeErrors } from "../../../docs/samples/check-types.js";
import checkTypesText from "../../../docs/samples/check-types.ts?raw";
import { findMistakes } from "../../../docs/samples/check.js";
import checkText from "../../../docs/samples/check.ts?raw";
import { lookAtJson, lookAtReport } from "../../../docs/samples/content.js";
import contentText from "../../../docs/samples/content.ts?raw";
import { openGuarded } from "../../../docs/samples/guarded-session.js";
import { openWithPackages } from "../../../docs/samples/packages.js";
import { openWithKey } from "../../../docs/samples/secrets.js";
import { openWithSeeds } from "../../../docs/samples/seeds.js";
import { functionTool, memoryStorage, Session } from "../../../src/index.js";
import { RUN } from "../../timeouts.mjs";
import { promised } from "./sample-model.js";

afterEach(() => {
  // Samples share its name, and files a page.
  indexedDB.deleteDatabase("demo");
});

const sent: string[] = [];
const mail = functionTool({
  name: "mail",
  description: "Sends a mail.",
  input: z.object({ to: z.string() }),
  run: ({ to }) => {
    sent.push(to);
    return "sent";
  },
});
const weather = functionTool({
  name: "weather",
  description: "Current weather of a city.",
  input: z.object({ city: z.string() }),
  run: () => 7,
});

test("the README's first session prints what it promises", async () => {
  const log = vi.spyOn(console, "log");

  await import("../../../docs/samples/first-session.js");

  expect(log.mock.calls).toContainEqual([44.6, 1]);
  log.mockRestore();
});

test("a session with packages has some, and asks about what code imports", async () => {
  // It belongs to the site, and other tests have filled it.
  await caches.delete("vitrine-packages");
  const server = inject("packageServer");
  const asked: string[] = [];
  const session = await openWithPackages({ folder: `${server}/folder/`, index: `${server}/simple/` }, (question) => {
    asked.push(question);
    return Promise.resolve(true);
  });

  expect((await session.run("import attr\nimport xxhash\n[attr.__name__, xxhash.xxh32_intdigest(b'')]")).value).toEqual(
    ["attr", 46947589],
  );
  expect(asked).toEqual(["The code imports xxhash, which is not installed: one file of 21 kB would be fetched."]);
  await session.deps.cache.clear();
  await session.close();
});

test("a guarded session asks about mail, and keeps no skills", async () => {
  const asked: string[] = [];
  const session = await openGuarded(mail, ({ name }) => {
    asked.push(name);
    return Promise.resolve(asked.length > 1);
  });
  const send = `tools.mail(to="ada@example.org")`;

  expect((await session.run(send)).error).toMatchObject({ pythonType: "ToolNotAllowedError" });
  expect((await session.run(send)).value).toBe("sent");
  expect((await session.run(`skills.create("x", "def run(): return 1", "One.")`)).error).not.toBeNull();
  expect([asked, sent]).toEqual([["tools.mail", "tools.mail"], ["ada@example.org"]]);
  await session.close();
});

test("checks find what the samples say", async () => {
  const session = await Session.open({ storage: memoryStorage(), tools: [mail, weather] });

  expect([await findMistakes(session)]).toEqual(promised(checkText));
  expect([await findTypeErrors(session, { worker: workerAddress, timeout: RUN })]).toEqual(promised(checkTypesText));
  await session.close();
});

test("content is what the samples say", async () => {
  const pdf = await fetch(new URL("../../fixtures/content/reportlab.pdf", import.meta.url));
  const [report, json] = promised(contentText);

  expect(await lookAtReport(new Uint8Array(await pdf.arrayBuffer()))).toEqual(report);
  const { message, ...rest } = z.looseObject({ message: z.string() }).parse(await lookAtJson());
  const { message: beginning, ...others } = z.looseObject({ message: z.string() }).parse(json);
  expect(rest).toEqual(others);
  expect(message.startsWith(beginning.split("…")[0] ?? beginning)).toBe(true);
});

test("seeds are there for code, and secrets for tools alone", async () => {
  const seeded = await openWithSeeds();
  expect((await seeded.run("skills.double(n=21)")).value).toBe(42);
  expect(seeded.tools.get("wc")?.callables.map(({ name }) => name)).toEqual(["count"]);
  await seeded.close();

  const keyed = await openWithKey("sk-library-0123456789");
  expect((await keyed.run("import os\n'sk-library-0123456789' in repr(os.environ)")).value).toBe(false);
  await keyed.close();
});

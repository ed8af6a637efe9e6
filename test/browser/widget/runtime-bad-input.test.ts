import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { openRuntime, type OpenRuntime } from "../../../src/ui/widget/runtime/index.js";
import { addressOf, hanging, request, served } from "./cells.js";

let runtime: OpenRuntime;
beforeAll(() => {
  runtime = openRuntime({
    largest: 1000,
    tools: () => new Map([["price", { name: "price", description: "", input: {}, run: () => null }]]),
  });
});
afterAll(() => runtime.end());

describe("a cell whose author made a mistake is not run, and says what is wrong:", () => {
  test("a file that is not there", async () => {
    const url = addressOf("missing.csv");
    const files = [{ url, path: "data.csv" }];
    await expect(runtime.run(request("1", { settings: { files } }))).rejects.toMatchObject({
      code: "CELL_FILE",
      message: `The file data.csv of this cell could not be had from ${url}: the server answered with status 404.`,
    });
  });

  test("a file that is too large", async () => {
    const file = await served("large.csv", "x".repeat(1001));
    await expect(runtime.run(request("1", { settings: { files: [file] } }))).rejects.toThrow(
      `The file large.csv of this cell could not be had from ${file.url}: it has more than 1,000 bytes.`,
    );
  });

  test("a file that is no file of a site, or whose server is away", async () => {
    const at = (url: string) => runtime.run(request("1", { settings: { files: [{ url, path: "a" }] } }));
    await expect(at("data:text/plain,x")).rejects.toThrow("only http and https addresses are loaded");
    await expect(at("http://127.0.0.1:1/a")).rejects.toThrow("the server did not answer");
  });

  test.each(["files", "tools"] as const)("a server that never answers (%s)", async (asks) => {
    const never = hanging();
    const own = openRuntime({ patience: 100 });
    const { url } = never;
    const asked = asks === "files" ? { files: [{ url, path: "a.csv" }] } : { tools: [url] };
    try {
      await expect(own.run(request("1", { settings: asked }))).rejects.toMatchObject({
        code: "CELL_FILE",
        message: expect.stringContaining("the server was silent for 0.1 seconds"),
      });
    } finally {
      await own.end();
      never.end();
    }
  });

  test("a path that leads out of the workspace", async () => {
    const { url } = await served("out.csv", "x");
    const run = runtime.run(request("1", { settings: { files: [{ url, path: "../out.csv" }] } }));
    await expect(run).rejects.toMatchObject({ code: "WORKSPACE_PATH" });
  });

  test("a tool that no script registered", async () => {
    await expect(runtime.run(request("1", { settings: { tools: ["weather"] } }))).rejects.toMatchObject({
      code: "CELL_TOOL",
      message: "This cell names the tool “weather”, which no script of the page has registered. Registered are price.",
    });
  });

  test.each([null, "tour"])("a tool file that is missing or no tool (session %s)", async (session) => {
    const url = addressOf("missing.yaml");
    await runtime.run(request("1", { settings: { session } }));
    const using = (tool: string) => runtime.run(request("1", { settings: { session, tools: [tool] } }));
    await expect(using(url)).rejects.toMatchObject({ code: "CELL_FILE", message: expect.stringContaining("404") });
    const broken = await served("broken.yaml", "name: [");
    await expect(using(broken.url)).rejects.toMatchObject({
      code: "CELL_TOOL",
      message: expect.stringContaining(broken.url),
    });
    expect((await runtime.run(request("2", { settings: { session } }))).result.value).toBe(2);
  });

  test.each([null, "deps"])("packages without a folder, or that no folder has (session %s)", async (session) => {
    const folder = `${inject("packageServer")}/folder/`;
    const asking = (deps: readonly string[], packages: readonly string[]) =>
      runtime.run(request("1", { settings: { session, deps, packages } }));
    await expect(asking(["attrs"], [])).rejects.toMatchObject({
      code: "CELL_PACKAGE",
      message: expect.stringContaining("This cell asks for attrs and names no folder to take it from: add `packages`"),
    });
    await expect(asking(["left-pad"], [folder])).rejects.toMatchObject({
      code: "CELL_PACKAGE",
      message: expect.stringContaining("left-pad cannot be installed"),
    });
    // What one cell cannot have is not asked for when another one runs.
    expect((await asking(["iniconfig"], [folder])).result.value).toBe(1);
  });
});

describe("packages", () => {
  const packages = [`${inject("packageServer")}/folder/`];

  test("come with the first run, with a later cell, and with an import", async () => {
    const own = { session: "packages", packages };
    const first = await runtime.run(request("import iniconfig\n1", { settings: { ...own, deps: ["iniconfig"] } }));
    const phases: unknown[] = [];
    const second = await runtime.run(
      request("import attr\n2", {
        settings: { ...own, deps: ["attrs"] },
        onPhase: (phase) => phases.push(phase),
      }),
    );
    const third = await runtime.run(
      request("import packaging\n3", { settings: own, onPhase: (phase) => phases.push(phase) }),
    );

    expect([first, second, third].map(({ result }) => result.error)).toEqual([null, null, null]);
    expect(phases).toContainEqual({ kind: "installing", packages: ["attrs"] });
    expect(phases).toContainEqual({ kind: "installing", packages: ["packaging"] });
  });

  test("of a folder that the session was opened without are there after a reset", async () => {
    const later = request("import attr\n2", { settings: { session: "late", packages, deps: ["attrs"] } });
    await runtime.run(request("1", { settings: { session: "late" } }));
    await expect(runtime.run(later)).rejects.toThrow(
      "reset the session, and name the same `packages` in all of its cells",
    );
    await runtime.reset("late");
    expect((await runtime.run(later)).result.value).toBe(2);
  });

  test("are there for the checks of an exercise", async () => {
    const { checks } = await runtime.run(
      request("import attr\n@attr.s\nclass A: pass", {
        settings: { packages, deps: ["attrs"] },
        checks: [{ code: "import attr\nassert attr", wants: [], label: "attrs" }],
      }),
    );
    expect(checks).toEqual([{ kind: "passed", label: "attrs" }]);
  });
});

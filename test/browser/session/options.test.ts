import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";

import * as vitrine from "../../../src/index.js";
import { OPTION_TAKERS, type Parts } from "../../unit/options/checked-options.js";
import { openSession } from "./hosts.js";

let parts: Parts;

beforeAll(async () => {
  const storage = vitrine.memoryStorage();
  const session = await openSession({ trust: "local" });
  const client = session.client();
  const [child, context] = await Promise.all([
    session.openChild({ trust: "local" }),
    vitrine.openContext({ storage, id: "options" }),
  ]);
  parts = { vitrine, session, client, calls: client.openCalls(), child, context, storage };
});
afterAll(async () => {
  await parts.session.close();
});

/** As plain JavaScript calls it, which no type holds back. What it throws at once is told from what it rejects with. */
async function called(name: string, given: readonly unknown[], on?: object): Promise<unknown> {
  const at = (owner: object, key: string): unknown => Reflect.get(owner, key) as unknown;
  const callee = name.startsWith("new ")
    ? at(vitrine, name.slice(4))
    : on === undefined
      ? at(vitrine, name)
      : at(on, name.split(/[#.]/)[1] ?? "");
  if (typeof callee !== "function") throw new TypeError(`There is no ${name}.`);
  const result: unknown = name.startsWith("new ") ? Reflect.construct(callee, given) : Reflect.apply(callee, on, given);
  // A generator begins with the first of its values.
  if (typeof result === "object" && result !== null && "next" in result && typeof result.next === "function")
    return (await Reflect.apply(result.next, result, [])) as unknown;
  return result;
}

describe("an option that there is not", () => {
  test.each(Object.keys(OPTION_TAKERS))("is refused by %s with the name of the function", async (name) => {
    const { on, before = [], needed = {} } = OPTION_TAKERS[name]?.(parts) ?? {};

    await expect(called(name, [...before, { ...needed, strayOption: 1 }], on)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      of: expect.any(String) as string,
      option: "strayOption",
      accepted: expect.arrayContaining([expect.any(String)]) as string[],
    });
  });
});

describe("what is no argument", () => {
  const storage = vitrine.memoryStorage();

  test.each([
    ["tools for tool", "Session.open", () => [{ storage, tool: [] }], { option: "tool", meant: "tools" }],
    ["code that is none", "Session#run", () => [1], { option: "code" }],
    ["a model without its address", "openaiModel", () => [{}], { option: "baseURL" }],
    ["an agent without a session", "new CodeAgent", () => [{}], { option: "model" }],
    ["a database without a name", "indexedDBStorage", () => [], { option: "name" }],
    ["an agent without anything", "new ReactAgent", () => [], { option: "model" }],
    ["a skill without a source", "SessionSkills#create", () => [{ name: "a" }], { option: "source" }],
    ["a limit that is misspelt", "Session.open", () => [{ storage, limits: { heapsize: 1 } }], { meant: "heapSize" }],
    ["an unknown part of a scope", "Session#run", () => ["1", { scope: { tag: [] } }], { option: "scope.tag" }],
  ])("%s is refused where it is given", async (_, name, given, error) => {
    const owners: Readonly<Record<string, object>> = {
      "Session.open": vitrine.Session,
      "Session#run": parts.session,
      "SessionSkills#create": parts.session.skills,
    };

    await expect(called(name, given(), owners[name])).rejects.toMatchObject({ code: "INVALID_OPTION", ...error });
  });

  test("packages without a place that has them, and a session made by `new`, say what to do", async () => {
    await expect(called("Session.open", [{ storage, deps: ["numpy"] }], vitrine.Session)).rejects.toThrow(
      "pass `packages`",
    );
    await expect(called("new Session", [])).rejects.toThrow("Session.open");
    await expect(called("new Session", [{ storage }])).rejects.toMatchObject({ code: "SESSION_OPTIONS" });
  });
});

describe("a function that returns a promise", () => {
  const on = (owner: object, name: string, ...given: unknown[]): unknown => {
    const method: unknown = Reflect.get(owner, name);
    return typeof method === "function" ? (Reflect.apply(method, owner, given) as unknown) : undefined;
  };

  test.each([
    ["run with a timeout that is none", () => parts.session.run("1", { timeout: -1 }), "SESSION_OPTIONS"],
    ["a child's run with one", () => parts.child.run("1", { timeout: -1 }), "SESSION_OPTIONS"],
    ["a client's run with one", () => parts.client.run("1", { timeout: -1 }), "SESSION_OPTIONS"],
    ["run of what is no code", () => on(parts.session, "run", 1), "INVALID_OPTION"],
    ["check of what is no code", () => on(parts.session, "check", 1), "INVALID_OPTION"],
    ["complete", () => on(parts.session, "complete", 1), "INVALID_OPTION"],
    ["search", () => on(parts.client, "searchTools", 1), "INVALID_OPTION"],
    ["skills.create", () => on(parts.session.skills, "create"), "INVALID_OPTION"],
    ["deps.add", () => on(parts.session.deps, "add"), "INVALID_OPTION"],
  ])("rejects and does not throw: %s", async (_, call, code) => {
    const promise = call();

    await expect(promise).rejects.toMatchObject({ code });
  });
});

describe("a tool that returns", () => {
  test.each([
    ["a Response", () => new Response("{}"), "await response.json()"],
    ["a node of the page", () => document.createElement("p"), "outerHTML"],
    ["an Error", () => new Error("no"), "throw it"],
  ])("%s fails with what to return instead", async (_, run, message) => {
    const options = { name: "page_object", description: "", input: { type: "object" }, run };
    parts.session.tools.register(Reflect.apply(vitrine.functionTool, null, [options]) as vitrine.ToolAdapter);

    const { error } = await parts.session.run("tools.page_object()");

    expect(error?.message).toContain(message);
    await parts.session.tools.remove("page_object");
  });
});

test("options of a run that an object has of another one count", async () => {
  const shared: vitrine.RunOptions = { name: "shared", imports: ["json"] };

  const { error } = await parts.session.run("import os", Object.create(shared) as vitrine.RunOptions);

  expect(error?.pythonType).toBe("ImportNotAllowedError");
  expect(error?.traceback).toContain("<shared>");
});

test("run gives its value the type that the caller names, or null", async () => {
  interface Weather {
    readonly city: string;
  }

  const { value } = await parts.session.run<Weather>("{'city': 'Oslo'}");

  expectTypeOf(value).toEqualTypeOf<Weather | null>();
  expectTypeOf((await parts.session.run("1")).value).toEqualTypeOf<vitrine.Value>();
  expect(value?.city).toBe("Oslo");
});

import { afterAll, beforeAll, expect, test } from "vitest";

import {
  memoryStorage,
  Session,
  type Finding,
  type ToolAdapter,
  type TypeChecker,
  type TypeCheckRequest,
} from "../../../src/index.js";

let session: Session;
beforeAll(async () => {
  session = await Session.open({ storage: memoryStorage() });
});
afterAll(() => session.close());

/** Keeps what it is asked. */
const listener = (said: readonly Finding[] = []): TypeChecker & { readonly asked: TypeCheckRequest[] } => {
  const asked: TypeCheckRequest[] = [];
  return {
    asked,
    check: (request) => {
      asked.push(request);
      return Promise.resolve(said);
    },
  };
};

test("code that is too long for the first check is not given to it", async () => {
  const types = listener();

  const findings = await session.check("x = 1\n".repeat(20_000), { types });

  expect(findings.map(({ code }) => code)).toEqual(["NOT_CHECKED"]);
  expect(types.asked).toEqual([]);
});

test("no more than 200 of its findings are told", async () => {
  const finding = {
    severity: "warning",
    code: "TYPE",
    message: "",
    suggestion: "",
    pythonType: "TypeError",
  } as const;
  const said = Array.from({ length: 300 }, (_, index) => ({ ...finding, line: index + 1, column: 1 }));

  const findings = await session.check("x = 1", { types: listener(said) });

  expect(findings).toEqual(said.slice(0, 200));
});

test("tools are described up to 500 callables, each time anew only where they changed", async () => {
  let looks = 0;
  const describedTool = (name: string, count: number): ToolAdapter => ({
    tool: {
      name,
      description: "",
      tags: [],
      hints: {},
      timeout: 1000,
      callables: Array.from({ length: count }, (_, index) => ({
        name: `f${index}`,
        description: "",
        parameters: [],
        get outputSchema() {
          looks += 1;
          return {};
        },
      })),
    },
    call: () => Promise.resolve(null),
  });
  const types = listener();
  const other = await Session.open({
    storage: memoryStorage(),
    tools: [describedTool("small", 2), describedTool("large", 500), describedTool("middle", 490)],
  });
  try {
    await other.check("x = 1", { types });
    const first = looks;
    await other.check("x = 2", { types });

    expect(first).toBeGreaterThan(0);
    expect(looks).toBe(first);
    const [stubs, again] = types.asked.map((request) => request.stubs.get("vitrine_tools"));
    expect(stubs).toContain("    small: Small");
    expect(stubs).toContain("    middle: Middle");
    expect(stubs).not.toContain("large");
    expect(again).toBe(stubs);

    await other.tools.remove("small");
    await other.tools.remove("middle");
    await other.check("x = 3", { types });
    expect(types.asked.at(-1)?.stubs.get("vitrine_tools")).toContain("    large: Large");
  } finally {
    await other.close();
  }
});

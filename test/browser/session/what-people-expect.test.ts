import { afterEach, describe, expect, test } from "vitest";

import { functionTool, type Session } from "../../../src/index.js";
import { openSession } from "./hosts.js";

describe("what people expect of Python", () => {
  let session: Session;
  afterEach(async () => {
    await session.close();
  });

  test("data that JSON cannot hold is an ArtifactDataError, whatever json says of it", async () => {
    session = await openSession();
    const errors = await Promise.all(
      [
        "a = []\na.append(a)\nartifacts.save('x', a)",
        "artifacts.save('x', 10**5000)",
        "artifacts.save('x', 1, metadata={'a': 10**5000})",
      ].map(async (code) => (await session.run(code)).error?.pythonType),
    );

    expect(errors).toEqual(Array(3).fill("ArtifactDataError"));
  });

  test("help() of a skill shows how to call it", async () => {
    session = await openSession();
    await session.run(
      `skills.create("greet", '''def run(name: str, loud: bool = False) -> str:\n    """Greets.\n\n    Args:\n        name: Whom.\n    """\n    return name''')`,
    );

    const { stdout } = await session.run("help(skills.greet)");
    expect(stdout).toMatch(/^skills\.greet\(.*name: str.*loud: bool = False\)\n\nGreets\.\n\nArgs:\n {4}name: Whom/);
  });

  test("an object that cannot cross is no dict, and its class is named", async () => {
    const take = functionTool({
      name: "take",
      description: "Takes a dict.",
      input: { type: "object", properties: { value: { type: "object" } } },
      run: () => "taken",
    });
    session = await openSession({ tools: [take] });

    const { error } = await session.run("from fractions import Fraction\ntools.take(value=Fraction(1, 2))");
    expect(error?.pythonType).toBe("ToolArgumentError");
    expect(error?.message).toContain("Fraction");
    expect((await session.run("tools.take(value={'repr': 'x', 'type': 'y'})")).value).toBe("taken");
  });

  test("relative addresses are the page's at trust level local", async () => {
    session = await openSession({ trust: "local" });

    const { value, error } = await session.run(
      "from pyodide.http import pyfetch, open_url\nimport js\n" +
        "[(await pyfetch('/package.json')).status, 'vitrine' in open_url('/package.json').read(), js.Request.new('x.txt').url]",
    );
    expect(error).toBeNull();
    expect(value).toEqual([200, true, new URL("x.txt", document.baseURI).href]);
  });
});

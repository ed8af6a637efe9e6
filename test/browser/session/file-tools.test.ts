import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Session } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

test("without `fileTools` they are not among the session's tools", async () => {
  const session = await openSession();

  expect(session.tools.list()).toEqual([]);
  const { value } = await session.run("[tool.name for tool in tools.list()]");
  expect(value).toEqual([]);
  await session.close();
});

describe.each(hosts)("file tools at the $host host", ({ trust }) => {
  let session: Session;

  beforeAll(async () => {
    session = await openSession({ trust, fileTools: true });
  });
  afterAll(async () => {
    await session.close();
  });

  test("read what the code that calls has written a moment before", async () => {
    const { value, error } = await session.run(
      "open('fresh.txt', 'w').write('a\\nb\\nc')\ntools.read_file(file_path='/workspace/fresh.txt', offset=2)",
    );

    expect(error).toBeNull();
    expect(value).toBe("L2: b\nL3: c");
  });

  test("answer a client as they answer code", async () => {
    await session.workspace.write("page.txt", "from the page");

    const read = session.client().callTool("read_file", { file_path: "/workspace/page.txt" });

    expect(await read).toBe("L1: from the page");
  });
});

test("a tool of the session that has the name of a file tool goes before it", async () => {
  const yaml = "name: read_file\ncommand: cat\nrecipes: { read_file: {} }\nschema: {}\n";
  const session = await openSession({ fileTools: true, seeds: [{ file: "tools/read_file.yaml", text: yaml }] });

  expect(session.tools.problems()).toEqual([]);
  expect(session.tools.get("read_file")?.description).not.toContain("line");
  await session.close();
});

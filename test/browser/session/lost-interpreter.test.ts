import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { OutputChunk, Session } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

describe.each(hosts)("an interpreter that a run at the $host host has lost", ({ trust }) => {
  let session: Session;
  beforeEach(async () => {
    session = await openSession({ trust });
  });
  afterEach(async () => {
    await session.close();
  });

  const tooDeep = "json.loads('[' * 200_000)";
  test.each([
    ["at once", `import json\n${tooDeep}`],
    [
      "among many calls, after a while",
      `import json, time\ndef f(n): return f(n - 1) if n else ${tooDeep}\ntime.sleep(0.1)\nf(300)`,
    ],
  ])("leaves what the code printed, and nothing of its own: %s", async (_what, code) => {
    const streamed: OutputChunk[] = [];
    const { error, stdout, stderr } = await session.run(
      `import sys\nprint('printed')\nprint('warned', file=sys.stderr)\n${code}`,
      { onOutput: (chunk) => streamed.push(chunk) },
    );

    expect(error).toMatchObject({ code: "WORKER_LOST" });
    expect([stdout, stderr]).toEqual(["printed\n", "warned\n"]);
    expect(streamed.map((chunk) => ("text" in chunk ? chunk.text : chunk.kind)).join("")).toBe("printed\nwarned\n");
    expect((await session.run("print('again')")).stdout).toBe("again\n");
  });
});

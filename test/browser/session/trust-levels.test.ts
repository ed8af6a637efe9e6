import { afterAll, expect, test } from "vitest";

import type { TrustLevel } from "../../../src/protocol/index.js";
import { Session } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";

const opened: Session[] = [];
afterAll(async () => {
  await Promise.all(opened.map((session) => session.close()));
});

/** Asks the page's server, from JavaScript. */
const LOOK = `seen = 'mark' in globals()
mark = 1
import js
try:
    request = js.XMLHttpRequest.new()
    request.open("GET", ${JSON.stringify(location.href)}, False)
    request.send()
    answer = request.status
except Exception as error:
    answer = error.name
[js.self.origin, answer, seen]`;

test("local is the page's origin, isolated reaches no JavaScript, sandboxed has no origin and no network (T6)", async () => {
  const levels: readonly TrustLevel[] = ["local", "isolated", "sandboxed", "local"];
  const sessions = await Promise.all(levels.map((trust) => Session.open({ storage: memoryStorage(), trust })));
  opened.push(...sessions);

  const seen: unknown[] = [];
  for (const session of sessions) {
    const { value, error } = await session.run(LOOK);
    seen.push(error?.code ?? value);
  }

  expect(sessions.map(({ capabilities }) => capabilities?.host)).toEqual(["page", "page", "sealed-frame", "page"]);
  expect(seen).toEqual([
    [location.origin, 200, false],
    "IMPORT_NOT_ALLOWED",
    ["null", "NetworkError", false],
    [location.origin, 200, false],
  ]);
});

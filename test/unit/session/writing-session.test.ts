import { expect, test } from "vitest";

import { UsedSecrets } from "../../../src/secrets/index.js";
import { writingSession } from "../../../src/session/calls/writing-session.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { Workspace } from "../../../src/workspace/index.js";

function notHere(): never {
  throw new Error("not here");
}

test("secrets that the session has used are struck from what a model reads (W90)", () => {
  const storage = memoryStorage();
  const secrets = new UsedSecrets();
  const session = writingSession({
    files: {
      collect: notHere,
      exchange: notHere,
      find: notHere,
      list: notHere,
      read: notHere,
      readVersion: notHere,
      writeAll: notHere,
    },
    workspace: new Workspace(storage),
    trust: "sandboxed",
    recording: undefined,
    storage,
    secrets,
    interpreter: notHere,
  });

  secrets.noteValue("PASSWORD", "hunter2-hunter2");

  expect(session.strike("log in as me, hunter2-hunter2")).toBe("log in as me, [secret PASSWORD]");
});

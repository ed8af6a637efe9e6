import { afterEach, expect, test, vi } from "vitest";

import { memoryStorage, Session, type SessionOptions } from "../../../src/index.js";

const opened: Session[] = [];

async function open(options: Partial<SessionOptions>): Promise<Session> {
  const session = await Session.open({ storage: memoryStorage(), ...options });
  opened.push(session);
  return session;
}

afterEach(async () => {
  vi.restoreAllMocks();
  for (const session of opened.splice(0)) await session.close();
});

/** Whether compiled code is in what a worker is sent. */
function hasModule(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  if (message instanceof WebAssembly.Module) return true;
  return !ArrayBuffer.isView(message) && Object.values(message).some(hasModule);
}

test("the page compiles the interpreter's code once, for interpreters after its first one, and for none in a frame", async () => {
  const compile = vi.spyOn(WebAssembly, "compileStreaming");
  const post = vi.spyOn(MessagePort.prototype, "postMessage");
  const counts = (): number[] => [
    compile.mock.calls.length,
    post.mock.calls.filter(([message]) => hasModule(message)).length,
  ];
  await open({ trust: "local" });
  expect(counts()).toEqual([0, 0]);

  // A worker does what the page could not, and the page tries again for the next one.
  compile.mockRejectedValueOnce(new WebAssembly.CompileError("refused"));
  const alone = await open({ trust: "local" });
  expect(counts()).toEqual([1, 0]);

  const sharing = [await open({ trust: "local" }), await open({ trust: "isolated" })];
  expect(counts()).toEqual([2, 2]);
  for (const session of [alone, ...sharing]) expect((await session.run("6 * 7")).value).toBe(42);

  await open({ trust: "sandboxed" });
  expect(counts()).toEqual([2, 2]);
});

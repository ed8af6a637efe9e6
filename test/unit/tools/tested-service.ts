import { afterAll, beforeAll } from "vitest";

import { startScriptedServer, type ScriptedServer } from "../../servers/scripted-server.js";

export interface TestedService {
  /** Its answers are what the test writes. */
  readonly server: ScriptedServer;
}

/** A service on 127.0.0.1, there for the tests of this file. */
export function testedService(): TestedService {
  let server: ScriptedServer | undefined;
  beforeAll(async () => {
    server = await startScriptedServer();
  });
  afterAll(() => server?.close());
  return {
    get server() {
      if (server === undefined) throw new Error("The service is there while a test runs.");
      return server;
    },
  };
}

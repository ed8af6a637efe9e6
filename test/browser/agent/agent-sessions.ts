import { afterEach } from "vitest";
import { z } from "zod";

import { Session, type SessionOptions } from "../../../src/session/index.js";
import { memoryStorage } from "../../../src/storage/index.js";
import { functionTool } from "../../../src/tools/index.js";

/** A tool that agents call. */
const rates = functionTool({
  name: "rates",
  description: "What one unit of a currency is worth in euro.",
  input: z.object({ currency: z.string() }),
  run: ({ currency }) => (currency === "USD" ? 0.5 : 1),
});

/** To be called once in a file: what opens sessions, each of which is closed after its test. */
export function useSessions(): (options?: Partial<SessionOptions>) => Promise<Session> {
  const opened: Session[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((session) => session.close()));
  });
  return async (options = {}) => {
    // What is tested holds at every level; a worker of the page is there soonest.
    const session = await Session.open({ storage: memoryStorage(), tools: [rates], trust: "local", ...options });
    opened.push(session);
    return session;
  };
}

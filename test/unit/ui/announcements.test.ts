import { expect, test } from "vitest";

import { memoryStorage } from "../../../src/storage/index.js";
import { AppState } from "../../../src/ui/state/app-state.js";

function silentState(): AppState {
  return new AppState({
    openStorage: memoryStorage,
    seeds: [],
    shipped: [],
    keyValueStore: () => ({ getItem: () => null, setItem: () => undefined, removeItem: () => undefined }),
    fetchFile: () => Promise.reject(new Error("There are no files.")),
    serverAuth: () => Promise.reject(new Error("Nobody logs in.")),
  });
}

test("what is announced before the last announcement was drawn is said with it, else in its place", () => {
  const app = silentState();

  app.announce("North asks.");
  app.announce("South asks.");
  expect(app.announcement).toBe("North asks. South asks.");

  app.hear();
  app.announce("East asks.");
  expect(app.announcement).toBe("East asks.");
  app.hear();
  app.announce("East asks.");
  // The same again is a change all the same.
  expect(app.announcement).toBe("East asks.\u00a0");
});

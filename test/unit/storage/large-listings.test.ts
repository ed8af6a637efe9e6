import { beforeEach, describe, expect, test } from "vitest";

import { ArtifactStore } from "../../../src/artifacts/index.js";
import { memoryStorage, type StorageBackend } from "../../../src/storage/index.js";
import { Workspace } from "../../../src/workspace/index.js";
import { countTurns } from "../count-turns.js";

/** Records that a backend may be asked for before it has answered. */
const AT_ONCE = 500;
const MANY = 1200;

describe("where there are many records the page goes on while they are read", () => {
  let storage: StorageBackend;
  let mostAsked = 0;

  beforeEach(async () => {
    const kept = memoryStorage();
    const workspace = new Workspace(kept);
    const mirror = workspace.mirror();
    const content = new Uint8Array(1);
    await mirror.applyChanges(Array.from({ length: MANY }, (_, index) => ({ path: `f${String(index)}`, content })));
    const artifacts = new ArtifactStore(kept);
    for (let index = 0; index < MANY; index += 1) await artifacts.save(`a${String(index)}`, "x");
    let asked = 0;
    mostAsked = 0;
    storage = {
      ...kept,
      get: async (key) => {
        asked += 1;
        mostAsked = Math.max(mostAsked, asked);
        await Promise.resolve();
        asked -= 1;
        return kept.get(key);
      },
      write: (entries, options) => kept.write(entries, options),
      keys: (prefix) => kept.keys(prefix),
    };
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a file is written by the page", () => new Workspace(storage).write("g", "x")],
    ["files are listed", () => new Workspace(storage).list()],
    ["files are brought to an interpreter", () => new Workspace(storage).mirror().withheld()],
    ["artifacts are listed", () => new ArtifactStore(storage).list()],
  ])("%s", async (_, work) => {
    const endOfCount = countTurns();

    await work();
    const turns = endOfCount();

    expect(turns).toBeGreaterThan(MANY);
    expect(mostAsked).toBeLessThanOrEqual(AT_ONCE);
  });
});

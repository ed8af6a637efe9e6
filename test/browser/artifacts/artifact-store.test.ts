import { describe, expect, test } from "vitest";

import { ArtifactStore } from "../../../src/artifacts/index.js";
import { indexedDBStorage } from "../../../src/storage/index.js";
import { freshName } from "../storage/fresh-name.js";

describe("artifacts in IndexedDB", () => {
  test("of every kind are there on the next visit", async () => {
    const name = freshName();
    const storage = indexedDBStorage(name);
    const artifacts = new ArtifactStore(storage);
    await artifacts.save("table.json", { rows: [[1, null, NaN]] }, { metadata: { source: "a.csv" } });
    await artifacts.save("sub/notes.txt", "ö");
    await artifacts.save("chart.png", Uint8Array.of(0x89, 0x50, 0, 0xff));
    storage.close();

    const later = new ArtifactStore(indexedDBStorage(name));

    expect((await later.list()).map((artifact) => artifact.name)).toEqual(["table.json", "sub/notes.txt", "chart.png"]);
    expect(await later.get("table.json")).toMatchObject({ kind: "json", metadata: { source: "a.csv" } });
    expect(await later.load("table.json")).toEqual({ rows: [[1, null, NaN]] });
    expect(await later.load("sub/notes.txt")).toBe("ö");
    expect(await later.load("chart.png")).toEqual(Uint8Array.of(0x89, 0x50, 0, 0xff));
  });

  test("saved in two tabs at once are all listed", async () => {
    const name = freshName();
    const tabs = [1, 2].map(() => new ArtifactStore(indexedDBStorage(name)));

    const saves = tabs.flatMap((tab, index) =>
      Array.from({ length: 10 }, (_, n) => tab.save(`${String(index)}-${String(n)}`, n)),
    );
    await Promise.all(saves);

    expect(await tabs[0]!.list()).toHaveLength(20);
    expect(await tabs[1]!.problems()).toEqual([]);
  });

  test("are whole when the tab dies while it saves: entry and data are of the same save", async () => {
    const name = freshName();
    const worker = new Worker(new URL("./saver.worker.ts", import.meta.url), { type: "module" });
    const started = new Promise<void>((resolve) => {
      worker.addEventListener("message", (event: MessageEvent<number>) => {
        if (event.data >= 5) resolve();
      });
    });
    worker.postMessage(name);
    await started;

    worker.terminate();

    const artifacts = new ArtifactStore(indexedDBStorage(name));
    const artifact = await artifacts.get("report");
    const generation = artifact?.description ?? "";
    expect(Number(generation)).toBeGreaterThanOrEqual(4);
    expect(artifact?.size).toBe(generation.length * 300_000);
    expect((await artifacts.load("report")) === generation.repeat(300_000)).toBe(true);
    expect(await artifacts.list()).toHaveLength(1);
  });
});

import { ArtifactStore } from "../../../src/artifacts/index.js";
import { indexedDBStorage } from "../../../src/storage/index.js";

/** Stands for another tab: saves one artifact again and again until it is killed. */
addEventListener("message", (event: MessageEvent<string>) => {
  void saveForever(event.data);
});

async function saveForever(database: string): Promise<void> {
  const artifacts = new ArtifactStore(indexedDBStorage(database));
  for (let generation = 1; ; generation += 1) {
    const save = artifacts.save("report", String(generation).repeat(300_000), { description: String(generation) });
    postMessage(generation);
    await save;
  }
}

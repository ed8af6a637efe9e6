import { indexedDBStorage } from "../../../src/storage/index.js";

/** Stands for another tab: writes generations of a thousand records until it is killed. */
addEventListener("message", (event: MessageEvent<string>) => {
  void writeForever(event.data);
});

async function writeForever(database: string): Promise<void> {
  const storage = indexedDBStorage(database);
  for (let generation = 1; ; generation += 1) {
    const content = new TextEncoder().encode(String(generation));
    const write = storage.write(
      new Map(Array.from({ length: 1000 }, (_, index) => [`item/${String(index)}`, content])),
    );
    postMessage(generation);
    await write;
  }
}

import { describe, expect, test } from "vitest";

import { ArtifactStore, OutputStore } from "../../../src/artifacts/index.js";
import { listKeys, memoryStorage } from "../../../src/storage/index.js";

describe("OutputStore", () => {
  test("a kept text is read by its name, by artifacts too, and listed nowhere", async () => {
    const storage = memoryStorage();
    const artifacts = new ArtifactStore(storage);

    const name = await new OutputStore(storage).keep("run-1 stdout", "a long text ö");

    expect(name).toMatch(/^outputs\/\d+-run-1-stdout\.txt$/);
    expect(await new OutputStore(storage).read(name)).toBe("a long text ö");
    expect(await artifacts.load(name)).toBe("a long text ö");
    expect(await artifacts.exists(name)).toBe(true);
    expect(await artifacts.get(name)).toBeNull();
    expect(await artifacts.list()).toEqual([]);
  });

  test("the oldest make room, also those of an earlier page", async () => {
    const storage = memoryStorage();
    const first = await new OutputStore(storage, { limit: 100 }).keep("a", "x".repeat(40));
    const outputs = new OutputStore(storage, { limit: 100 });
    const second = await outputs.keep("b", "y".repeat(40));
    const third = await outputs.keep("c", "z".repeat(40));

    await expect(outputs.read(first)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
    expect(await outputs.read(second)).toBe("y".repeat(40));
    expect(await outputs.read(third)).toBe("z".repeat(40));
  });

  test("texts that are kept at the same time each get a name and a place", async () => {
    const outputs = new OutputStore(memoryStorage(), { limit: 1000 });

    const texts = Array.from({ length: 10 }, (_, index) => String(index));

    const names = await Promise.all(texts.map((text) => outputs.keep("same", text)));

    expect(new Set(names).size).toBe(10);
    expect(await Promise.all(names.map((name) => outputs.read(name)))).toEqual(texts);
  });

  test("a text larger than all the room is cut, says so, and fits", async () => {
    const storage = memoryStorage();
    const outputs = new OutputStore(storage, { limit: 200 });
    await outputs.keep("old", "old");

    const name = await outputs.keep("big", "ö".repeat(1000));

    const kept = await outputs.read(name);
    expect(kept).toMatch(/^ö+\n… cut here: 2000 bytes are more than outputs may take\n$/);
    expect(new TextEncoder().encode(kept).byteLength).toBeLessThanOrEqual(200);
    expect(await listKeys(storage, "outputs/")).toEqual([name]);
  });

  test("names that are no outputs are not read", async () => {
    const storage = memoryStorage();
    await new ArtifactStore(storage).save("a", "text");

    await expect(new OutputStore(storage).read("artifacts/data/a")).rejects.toMatchObject({
      code: "ARTIFACT_NOT_FOUND",
    });
  });
});

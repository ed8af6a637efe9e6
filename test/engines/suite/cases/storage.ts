import { indexedDBStorage, type StorageBackend, type Value } from "../../../../src/index.js";
import { finished, withDatabase } from "../database.js";
import { differ, type PageCase } from "../engine-case.js";

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const textOf = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : new TextDecoder().decode(content);

async function keysOf(storage: StorageBackend, prefix = ""): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.keys(prefix)) keys.push(key);
  return keys;
}

/** Why a promise was rejected: the code of the error, or its text where it has none. */
async function codeOf(failing: Promise<unknown>): Promise<string> {
  try {
    await failing;
    return "nothing";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

/** Random, because a browser may compress what it stores. */
function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(length);
  for (let start = 0; start < length; start += 65_536) {
    crypto.getRandomValues(content.subarray(start, start + 65_536));
  }
  return content;
}

async function digest(content: Uint8Array<ArrayBuffer> | undefined): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest("SHA-256", content ?? new Uint8Array())));
}

/** IndexedDB as each engine has it, alone and below a session. */
export const storageCases: readonly PageCase[] = [
  {
    id: "storage-1",
    title: "what was written to IndexedDB is there for the next connection: whole, in the order of its keys, as shown",
    inChromium: "storage",
    run: () =>
      withDatabase(async (name) => {
        const first = indexedDBStorage(name);
        const big = randomBytes(5 * 2 ** 20);
        await first.write(new Map([["b/2", "two"] as const, ["b/10", "ten"] as const].map(([k, t]) => [k, bytes(t)])));
        await first.write(
          new Map<string, Uint8Array | null>([
            ["b/2", null],
            ["b/3", bytes("three")],
            ["big", big],
            ["view", new Uint8Array(1000).fill(7).subarray(10, 13)],
          ]),
        );
        first.close();

        const next = indexedDBStorage(name);
        const view = await next.get("view");
        const found = [
          ...differ("the keys", await keysOf(next), ["b/10", "b/3", "big", "view"]),
          ...differ("those of a prefix", await keysOf(next, "b/"), ["b/10", "b/3"]),
          ...differ("what was deleted", textOf(await next.get("b/2")) ?? null, null),
          ...differ("a text", textOf(await next.get("b/3")), "three"),
          ...differ("a view and the buffer behind it", [view?.length, view?.buffer.byteLength, view?.[2]], [3, 3, 7]),
          ...differ("5 MB", await digest(await next.get("big")), await digest(big)),
          ...differ("a connection that was closed", await codeOf(first.get("b/3")), "STORAGE_CLOSED"),
        ];
        next.close();
        return found;
      }),
  },
  {
    id: "storage-2",
    title: "a write that fails keeps nothing of itself, and of one whose tab dies in its middle all is kept or nothing",
    inChromium: "storage",
    run: () =>
      withDatabase(async (name) => {
        const storage = indexedDBStorage(name);
        await storage.write(new Map([["note", bytes("old")]]));
        const gone = bytes("gone");
        structuredClone(gone, { transfer: [gone.buffer] });
        const failing = storage.write(
          new Map([
            ["note", bytes("new")],
            ["gone", gone],
          ]),
        );
        const failure = await codeOf(failing);
        const kept = [textOf(await storage.get("note")), textOf(await storage.get("gone")) ?? null];

        await dieWriting(name);
        const keys = await keysOf(storage, "item/");
        const contents = await Promise.all(keys.map((key) => storage.get(key)));
        const generations = new Set(contents.map(textOf));
        storage.close();
        return [
          ...differ("the failure", failure, "STORAGE_WRITE"),
          ...differ("what is kept after it", kept, ["old", null]),
          ...differ("the records of the tab that died", [keys.length, generations.size], [1000, 1]),
          ...(Number([...generations][0]) >= 2 ? [] : [`it is generation ${[...generations].join()}`]),
        ];
      }),
  },
  {
    id: "storage-3",
    title:
      "two tabs see each other's writes; a newer release's form is noticed by the older, which writes nothing over",
    inChromium: "storage",
    run: () =>
      withDatabase(async (name) => {
        const [one, two] = [indexedDBStorage(name), indexedDBStorage(name)];
        await Promise.all([one.write(new Map([["a", bytes("1")]])), two.write(new Map([["b", bytes("2")]]))]);
        const seen = [textOf(await one.get("b")), textOf(await two.get("a"))];
        two.close();

        const newer = indexedDB.open(name, 7);
        newer.addEventListener("upgradeneeded", () => {
          const records = newer.transaction?.objectStore("records");
          records?.put(2, 1);
          records?.put(bytes("new form"), "a");
        });
        const database = await finished(newer);
        const reading = await codeOf(one.get("a"));
        const writing = await codeOf(one.write(new Map([["a", bytes("old form")]])));
        const record: unknown = await finished(database.transaction("records").objectStore("records").get("a"));
        database.close();
        one.close();
        return [
          ...differ("what the tabs see", seen, ["2", "1"]),
          ...differ("the older release's errors", [reading, writing], ["STORAGE_FORMAT", "STORAGE_FORMAT"]),
          ...differ("the record", record instanceof Uint8Array && textOf(record), "new form"),
        ];
      }),
  },
  {
    id: "storage-4",
    title: "a session that is opened again on its database has the skill, artifact, file and journal of the one before",
    needs: ["sync_calls"],
    inChromium: "storage",
    run: (open) =>
      withDatabase(async (name) => {
        const before = indexedDBStorage(name);
        const first = await open({ storage: before });
        const made = await first.run(
          [
            "gone = 1",
            "skills.create(name='double', source='def run(n: int): return n * 2')",
            "artifacts.save('table.json', {'rows': [1, 2]})",
            "import os",
            "os.makedirs('notes', exist_ok=True)",
            "open('notes/report.txt', 'w').write('written')",
          ].join("\n"),
          { runId: "run-before" },
        );
        await first.close();
        before.close();

        const storage = indexedDBStorage(name);
        const second = await open({ storage });
        try {
          const { value, error } = await second.run(
            "[skills.double(n=21), artifacts.load('table.json'), open('notes/report.txt').read(), 'gone' in globals()]",
          );
          const journal = (await second.journal.list()).filter(({ runId }) => runId === "run-before");
          return [
            ...differ("the errors", [made.error?.message, error?.message], [undefined, undefined]),
            ...differ("what is there", value, [42, { rows: [1, 2] }, "written", false]),
            ...differ(
              "the journal",
              journal.map(({ namespace, name: called, outcome }) => [namespace, called, outcome.kind]),
              [
                ["runs", "run 1", "ok"],
                ["skills", "create", "ok"],
                ["artifacts", "save", "ok"],
              ],
            ),
          ];
        } finally {
          await second.close();
          storage.close();
        }
      }),
  },
  {
    id: "storage-5",
    title: "of two tabs that count in one record no step is lost; a patch is written, and a late write is refused",
    inChromium: "storage",
    run: (open) =>
      withDatabase(async (name) => {
        const tabs = [indexedDBStorage(name), indexedDBStorage(name)];
        const steps = Array.from({ length: 20 }, (_, index) => tabs[index % 2]).filter((tab) => tab !== undefined);
        const conflicts = (await Promise.all(steps.map(countOne))).reduce((sum, each) => sum + each, 0);
        const count = textOf(await tabs[0]?.get("n"));

        const session = await open({ storage: indexedDBStorage(name), fileTools: true, approvals: { tools: "allow" } });
        const input = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch";
        const patch = (): Promise<Value> => session.client().callTool("apply_patch", { input });
        try {
          const { version } = await session.workspace.write("a.txt", "one\n");
          await patch();
          const patched = await session.workspace.readVersion("a.txt");
          const late = await codeOf(session.workspace.write("a.txt", "late", { ifVersion: version }));
          return [
            ...differ("the count", count, "20"),
            ...(conflicts > 0 ? [] : ["no step met another one"]),
            ...differ("the patched file", textOf(patched.content), "two\n"),
            ...differ("a write in the version before", late, "WORKSPACE_CONFLICT"),
            ...differ("a patch whose lines are gone", await codeOf(patch()), "TOOL_CALL"),
          ];
        } finally {
          await session.close();
          for (const tab of tabs) tab.close();
        }
      }),
  },
];

/** Raises the number in a record by one. @returns how often another one was faster. */
async function countOne(storage: StorageBackend): Promise<number> {
  for (let conflicts = 0; ; conflicts += 1) {
    const before = (await storage.get("n")) ?? null;
    const next = bytes(String(1 + Number(before === null ? 0 : textOf(before))));
    try {
      await storage.write(new Map([["n", next]]), { ifUnchanged: new Map([["n", before]]) });
      return conflicts;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "STORAGE_CONFLICT")) throw error;
    }
  }
}

/** Another tab that writes generations of a thousand records, and dies in the middle of one. */
async function dieWriting(name: string): Promise<void> {
  const worker = new Worker(new URL("../../../browser/storage/writer.worker.ts", import.meta.url), { type: "module" });
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<number>) => {
      if (data >= 3) resolve();
    });
    worker.addEventListener("error", ({ message }) => {
      reject(new Error(`The worker that writes has failed: ${message}`));
    });
    worker.postMessage(name);
  });
  worker.terminate();
}

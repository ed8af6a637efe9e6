import { expect, test } from "vitest";

import { memoryStorage, StorageReadError } from "../../../../src/storage/index.js";
import type { FileDecision } from "../../../../src/tools/index.js";
import type { WritingFiles } from "../../../../src/write-code/index.js";
import type { FileToWrite } from "../../../../src/write-code/writing/files-to-write.js";
import { writeBatch, type BatchWriting, type WrittenBatch } from "../../../../src/write-code/writing/write-batch.js";
import { Workspace, type WorkspaceOptions } from "../../../../src/workspace/index.js";

/** Files as a session has them that no interpreter waits for. */
function filesOf(workspace: Workspace, changes: Partial<WritingFiles> = {}): WritingFiles {
  return {
    collect: () => Promise.resolve(),
    exchange: () => Promise.resolve(),
    paths: async () => (await workspace.list()).map(({ path }) => path),
    readVersion: (path) => workspace.readVersion(path).catch(() => undefined),
    writeAll: async (files, options) => {
      const written = await workspace.writeForRun(files, { trust: "sandboxed", ...options });
      return new Map(written.map(({ path, version }) => [path, version]));
    },
    ...changes,
  };
}

function fileOf([path, text]: readonly [string, string]): FileToWrite {
  return { path, filename: path, content: { kind: "text", text }, read: null, notes: [] };
}

interface Situation extends Partial<Omit<BatchWriting, "session" | "ask">> {
  readonly limits?: WorkspaceOptions;
  readonly files?: Partial<WritingFiles>;
  readonly decision?: FileDecision | undefined;
}

async function write(
  texts: Readonly<Record<string, string>>,
  { limits = {}, files = {}, decision = "accept", ...writing }: Situation = {},
): Promise<WrittenBatch & { readonly paths: readonly string[]; readonly kinds: Readonly<Record<string, string>> }> {
  const workspace = new Workspace(memoryStorage(), limits);
  const batch = await writeBatch(Object.entries(texts).map(fileOf), {
    session: { files: filesOf(workspace, files) },
    batchId: "batch",
    ask: (proposal) => Promise.resolve(new Map(proposal.files.map(({ path }) => [path, { decision, reason: "so" }]))),
    merge: () => Promise.reject(new Error("Nothing was to be merged.")),
    report: () => undefined,
    signal: new AbortController().signal,
    ...writing,
  });
  const kinds = Object.fromEntries(Array.from(batch.outcomes, ([path, { kind }]) => [path, kind]));
  return { ...batch, kinds, paths: (await workspace.list()).map(({ path }) => path) };
}

test("a file that is too large by itself is left out, the others are written (W42)", async () => {
  const { kinds, paths, outcomes } = await write({ a: "1", large: "12345", b: "2" }, { limits: { maxFileSize: 4 } });

  expect(kinds).toEqual({ a: "written", large: "failed", b: "written" });
  expect(outcomes.get("large")).toHaveProperty("fault.message", expect.stringMatching(/^Error writing file large: /));
  expect(paths).toEqual(["a", "b"]);
});

test.each([
  ["all files together", { maxTotalSize: 5 }],
  ["the number of files", { maxFiles: 1 }],
])("none is written where the workspace is full by %s, and each says so (W42)", async (_, limits) => {
  const { kinds, paths, outcomes, changes } = await write({ a: "123", b: "456" }, { limits });

  expect(kinds).toEqual({ a: "failed", b: "failed" });
  expect(outcomes.get("a")).toMatchObject({ fault: { code: "WRITE_FAILED" } });
  expect(outcomes.get("a")).toHaveProperty("fault.message", expect.stringMatching(/^Error writing file a: /));
  expect(paths).toEqual([]);
  expect(changes).toBeNull();
});

test("many files that cannot be written are all named, and the one that can be is written (W42)", async () => {
  const texts = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`large-${String(index)}`, "12345"]));

  const { kinds, paths } = await write({ ...texts, small: "1" }, { limits: { maxFileSize: 4 } });

  expect(Object.values(kinds).filter((kind) => kind === "failed")).toHaveLength(5);
  expect(paths).toEqual(["small"]);
});

test("a file that cannot be read is not written over, and the others are (W42)", async () => {
  const { kinds, outcomes } = await write(
    { damaged: "1", b: "2" },
    {
      files: {
        readVersion: (path) =>
          path === "damaged" ? Promise.reject(new StorageReadError(path, "it is torn")) : Promise.resolve(undefined),
      },
    },
  );

  expect(kinds).toEqual({ damaged: "failed", b: "written" });
  expect(outcomes.get("damaged")).toHaveProperty("fault.message", expect.stringContaining("it is torn"));
});

test("nothing that was not decided about is written", async () => {
  const { kinds, paths } = await write({ a: "1" }, { decision: "keep" });

  expect(kinds).toEqual({ a: "refused" });
  expect(paths).toEqual([]);
});

test("a batch that was stopped before asks and writes nothing (W78)", async () => {
  const reports: unknown[] = [];
  const { kinds, outcomes } = await write(
    { a: "1" },
    { signal: AbortSignal.abort(), report: (event) => reports.push(event) },
  );

  expect(kinds).toEqual({ a: "failed" });
  expect(outcomes.get("a")).toMatchObject({ fault: { code: "CANCELLED" } });
  expect(reports).toEqual([]);
});

test("what is written stays written where the code that waits cannot have it, and that is said", async () => {
  const { kinds, warnings } = await write(
    { a: "1" },
    { files: { exchange: () => Promise.reject(new Error("The interpreter is gone.")) } },
  );

  expect(kinds).toEqual({ a: "written" });
  expect(warnings).toEqual([expect.stringContaining("The interpreter is gone.")]);
});

test("a mistake of ours is no outcome of a file", async () => {
  const failing = write({ a: "1" }, { files: { writeAll: () => Promise.reject(new TypeError("a mistake")) } });

  await expect(failing).rejects.toThrow("a mistake");
});

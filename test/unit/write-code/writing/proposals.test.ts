import { describe, expect, test } from "vitest";

import { encodeText } from "../../../../src/storage/index.js";
import { meaningOf, type FileToWrite, type LookedAtFile } from "../../../../src/write-code/writing/files-to-write.js";
import { proposalsOf } from "../../../../src/write-code/writing/proposals.js";

interface Looked {
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly now?: string | Uint8Array<ArrayBuffer> | null;
  readonly isInConflict?: boolean;
  readonly notes?: readonly string[];
}

function looked({ text, now = null, isInConflict = false, notes = [] }: Looked): LookedAtFile {
  const content =
    typeof text === "string"
      ? ({ kind: "text", text } as const)
      : ({ kind: "image", mime: "image/png", bytes: text } as const);
  const file: FileToWrite = { path: "src/a.py", filename: "a.py", content, read: null, notes };
  const bytes = typeof now === "string" ? encodeText(now) : now;
  return { file, now: bytes === null ? null : { content: bytes, version: "1" }, isInConflict };
}

async function proposed(file: Looked) {
  const [proposal] = await proposalsOf([looked(file)]);
  return proposal;
}

describe("a proposal", () => {
  test("of a new file is all new lines (W17)", async () => {
    expect(await proposed({ text: "one\ntwo\n", notes: ["It was asked for twice."] })).toEqual({
      path: "src/a.py",
      operation: "create",
      before: null,
      after: "one\ntwo\n",
      difference: "@@ -0,0 +1,2 @@\n+one\n+two",
      image: null,
      notes: ["It was asked for twice."],
    });
  });

  test("of a file that is there is its difference (W18)", async () => {
    expect(await proposed({ text: "one\n2\n", now: "one\ntwo\n" })).toMatchObject({
      operation: "modify",
      before: "one\ntwo\n",
      difference: "@@ -1,2 +1,2 @@\n one\n-two\n+2",
    });
  });

  test("shows what somebody else made of the file, and what they took away (W76)", async () => {
    const changed = await proposed({ text: "ours\n", now: "theirs\n", isInConflict: true });
    const deleted = await proposed({ text: "ours\n", isInConflict: true });

    expect(changed).toMatchObject({ operation: "modify", conflict: { theirs: "theirs\n" } });
    expect(deleted).toMatchObject({ operation: "create", conflict: { theirs: null } });
    expect(await proposed({ text: "ours\n", now: "old\n" })).not.toHaveProperty("conflict");
  });

  test("of an image shows the image, and no difference", async () => {
    const bytes = new Uint8Array([1, 2, 3]);

    expect(await proposed({ text: bytes, now: new Uint8Array([0, 1]) })).toMatchObject({
      before: null,
      after: null,
      difference: "",
      image: { mime: "image/png", bytes },
      notes: [],
    });
  });

  test("of a text in the place of bytes says that these are not shown", async () => {
    expect(await proposed({ text: "one\n", now: new Uint8Array([0, 255]) })).toMatchObject({
      before: null,
      difference: "",
      notes: ["What the file holds now is no text, or too large to be shown."],
    });
  });

  test("of more lines than a page compares has no difference, and says so", async () => {
    const long = "x\n".repeat(25_001);

    expect(await proposed({ text: `${long}y\n`, now: long })).toMatchObject({
      before: long,
      difference: "",
      notes: ["The file is too large for its lines to be compared."],
    });
  });
});

test.each([
  ["accept", false, "write"],
  ["refuse", false, "refuse"],
  [undefined, false, "refuse"],
  ["overwrite", false, "refuse"],
  ["accept", true, "keep"],
  [undefined, true, "keep"],
  ["keep", true, "keep"],
  ["refuse", true, "refuse"],
  ["overwrite", true, "write"],
  ["merge", true, "merge"],
] as const)("the decision %s, with a conflict: %s, means to %s (W76)", (decision, isInConflict, meaning) => {
  expect(meaningOf(decision, isInConflict)).toBe(meaning);
});

import { describe, expect, test } from "vitest";

import { patched, PatchedFiles, patchOf } from "./patched-files.js";

/** What the lines of an update make of a file; or its error. */
async function updated(before: string, ...lines: readonly string[]): Promise<unknown> {
  const { files, error } = await patched({ "f.txt": before }, "*** Update File: f.txt", ...lines);
  if (error !== undefined) expect(files).toEqual({ "f.txt": before });
  return error ?? files["f.txt"];
}

async function failure(before: string, ...lines: readonly string[]): Promise<string> {
  const error = await updated(before, ...lines);
  expect(error).toMatchObject({ code: "PATCH_MISMATCH", path: "f.txt" });
  return error instanceof Error ? error.message : "";
}

describe("lines are changed where they stand", () => {
  test("in several chunks (X80)", async () => {
    const lines = ["@@", "-line2", "+changed2", "@@", "-line4", "+changed4"];

    expect(await updated("line1\nline2\nline3\nline4\n", ...lines)).toBe("line1\nchanged2\nline3\nchanged4\n");
  });

  test("and a file that had no line end at its end has one (X89)", async () => {
    const lines = ["@@", "-no newline at end", "+first line", "+second line"];

    expect(await updated("no newline at end", ...lines)).toBe("first line\nsecond line\n");
    expect(await updated("a\nb", "@@", "-a", "+A")).toBe("A\nb\n");
    expect(await updated("only", "@@", "-only")).toBe("");
  });

  test("and lines that are only added go to the end (X91)", async () => {
    expect(await updated("alpha\nbeta", "@@", "+added line 1", "+added line 2")).toBe(
      "alpha\nbeta\nadded line 1\nadded line 2\n",
    );
    expect(await updated("", "@@", "+first")).toBe("first\n");
  });

  test("byte by byte as they are written (X93)", async () => {
    expect(await updated("# naïve café\nend\n", "@@", "-# naïve café", "+# naïve café ✅")).toBe(
      "# naïve café ✅\nend\n",
    );
  });

  test("and one that is only removed between others is gone (X95)", async () => {
    expect(await updated("line1\nline2\nline3\n", "@@", " line1", "-line2", " line3")).toBe("line1\nline3\n");
  });

  test("and one that is only added between others stands between them (X112)", async () => {
    expect(await updated("alpha\nomega\n", "@@", " alpha", "+beta", " omega")).toBe("alpha\nbeta\nomega\n");
  });

  test("and lines that are only added below a context line stand right below it (X101)", async () => {
    const before = "def e():\n  pass\ndef f():\n  pass\n";

    expect(await updated(before, "@@ def f():", "+  # new", "+  # lines")).toBe(
      "def e():\n  pass\ndef f():\n  # new\n  # lines\n  pass\n",
    );
    expect(await updated(before, "@@ def e():", "+  # one", "@@", "-def f():", "+def g():")).toBe(
      "def e():\n  # one\n  pass\ndef g():\n  pass\n",
    );
  });

  test("and additions at the end leave the place for a removal above them (X102)", async () => {
    const lines = ["@@", "+after-context", "+second-line", "@@", " line1", "-line2", "-line3", "+line2-replacement"];

    expect(await updated("line1\nline2\nline3\n", ...lines)).toBe(
      "line1\nline2-replacement\nafter-context\nsecond-line\n",
    );
  });

  test("at the end of the file where the chunk says so", async () => {
    const lines = ["@@", " x", "-y", "+z", "*** End of File"];

    expect(await updated("x\ny\nx\ny\n", ...lines)).toBe("x\ny\nx\nz\n");
    expect(await failure("x\ny\nend\n", ...lines)).toContain("at line 1 of the file, which is not its end.");
  });

  test("where an empty last line of the chunk stands for the end of the line before it", async () => {
    expect(await updated("a\nb\n", "@@", "-b", "-", "+c", "+")).toBe("a\nc\n");
    expect(await updated("a\nb\n", "@@", "-b", "+c", "")).toBe("a\nc\n");
    expect(await updated("a\n\nb\n", "@@", "+c", "")).toBe("a\n\nb\nc\n");
  });

  test("and blank lines at the end of the file stay", async () => {
    expect(await updated("a\n\n\n", "@@", "-a", "+b")).toBe("b\n\n\n");
  });
});

describe("lines that differ from the patch in what cannot be seen", () => {
  test("are found, and those of the context stay as the file has them (X98)", async () => {
    const before = "# a – dash  \n  “quoted” x\u00A0y\nlast\n";
    const lines = ["@@", " # a - dash", '-"quoted" x y', "+new", " last"];

    expect(await updated(before, ...lines)).toBe("# a – dash  \nnew\nlast\n");
  });

  test("are found in the strictest way that finds them", async () => {
    expect(await updated("  a\na \na\n", "@@", "-a", "+b")).toBe("  a\na \nb\n");
    expect(await updated("  a\na \n", "@@", "-a", "+b")).toBe("  a\nb\n");
    expect(await updated("  a\nb\n", "@@", "-a", "+b")).toBe("b\nb\n");
  });

  test("are a context line too", async () => {
    expect(await updated("class – A:\n  x\n", "@@ class - A:", "-  x", "+  y")).toBe("class – A:\n  y\n");
  });
});

describe("line ends are those of the file", () => {
  test("of Windows, also for new lines and a last one without any", async () => {
    expect(await updated("a\r\nb\r\nc", "@@", "-b", "+B", "+B2", "@@", " c", "+d")).toBe("a\r\nB\r\nB2\r\nc\r\nd\r\n");
  });

  test("line by line where they are mixed", async () => {
    const lines = ["@@", "-a", "-b", "+A", "+B", "+C", " c", "+d"];

    expect(await updated("a\nb\r\nc\ne\r\n", ...lines)).toBe("A\nB\r\nC\r\nc\nd\ne\r\n");
  });

  test("and a byte order mark stays before the first line", async () => {
    expect(await updated("\uFEFFa\r\n", "@@", "-a", "+b")).toBe("\uFEFFb\r\n");
  });
});

describe("lines that are not there are said", () => {
  test("with what was looked for (X83)", async () => {
    expect(await failure("line1\nline2\n", "@@", "-missing", "+changed")).toBe(
      "Failed to find expected lines in f.txt:\nmissing",
    );
  });

  test("with where the block begins to differ, and what stands there", async () => {
    expect(await failure("1\na\nb\nx\na\nb\nc\n", "@@", " a", " b", "-d", "+e")).toBe(
      "Failed to find expected lines in f.txt: matched 2/3 lines near line 2 (expected: 'd', file has: 'x')",
    );
    expect(await failure("a\nb", "@@", " b", "-c")).toContain("near line 2 (expected: 'c', file has: '<end of file>')");
  });

  test("with the context line that is missing", async () => {
    expect(await failure("a\n", "@@ def f():", "-a", "+b")).toBe("Failed to find context 'def f():' in f.txt");
  });

  test("with the chunk, where there are several, and with the order of chunks that goes back (X103)", async () => {
    const before = "a\nb\nc\nd\n";
    const backwards = ["@@", "-c", "+C", "@@", "-a", "+A"];

    const error = await updated(before, ...backwards);
    expect(error).toMatchObject({ chunk: 2, line: 6 });
    expect(error).toMatchObject({
      message:
        "Failed to find expected lines in f.txt:\na\n" +
        "These lines are at line 1 of the file, above the place of the chunk before: write the chunks in the order of the file.\n" +
        "This is chunk 2 of 2 for the file, at line 6 of the patch.",
    });
    expect(await failure(before, "@@ c", "-d", "+D", "@@ a", "-b", "+B")).toContain(
      "Failed to find context 'a' in f.txt\nThese lines are at line 1 of the file, above",
    );
  });

  test("with what parts two changes that an empty line joins (X111)", async () => {
    const message = await failure("a\nb\nc\nd\ne\n", "@@", "-b", "+B", "", "-d", "+D");

    expect(message).toContain("Failed to find expected lines in f.txt");
    expect(message).toContain("separate changes that are not beside each other with a line '@@'.");
    expect(await updated("a\nb\nc\nd\ne\n", "@@", "-b", "+B", "@@", "-d", "+D")).toBe("a\nB\nc\nD\ne\n");
    expect(await failure("a\nb\n", "@@", "-b", "+B", "", "-other")).not.toContain("separate");
  });

  test("in a text that is bounded", async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `-${"x".repeat(100)}${String(index)}`);

    const message = await failure("a\n", "@@", ...lines);

    expect(message.length).toBeLessThan(5000);
    expect(message).toContain("(1000 lines)");
  });
});

describe("work is bounded", () => {
  test("blocks that nearly match everywhere are found, or not, in one pass for each way", async () => {
    const before = "same\n".repeat(50_000);
    const block = Array.from({ length: 20_000 }, () => " same");

    expect(await failure(before, "@@", ...block, "-other")).toContain("matched 20000/20001 lines near line 1 ");
    expect(await updated(`${before}end\n`, "@@", ...block, "-end", "+END")).toBe(`${before}END\n`);
  });

  test("what would take too long is refused, and the page goes on meanwhile", async () => {
    const files = await PatchedFiles.of({ "f.txt": `${"x\ny \n".repeat(50_000)}y\n` });
    // Each is looked for down to the end, and then found at once in a more lenient way.
    const chunks = Array.from({ length: 1000 }, () => ["@@", " x", "-y", "+z"]);
    let turns = 0;
    const heart = setInterval(() => (turns += 1));

    const patch = files.apply(patchOf("*** Update File: f.txt", ...chunks.flat()));

    await expect(patch).rejects.toMatchObject({ code: "PATCH_TOO_LARGE" });
    clearInterval(heart);
    expect(turns).toBeGreaterThan(3);
  });

  test("a file that is too large is refused before it is read", async () => {
    const files = new PatchedFiles();
    await files.workspace.write("f.txt", new Uint8Array(17 * 2 ** 20));

    await expect(files.apply(patchOf("*** Update File: f.txt", "@@", "-a", "+b"))).rejects.toMatchObject({
      code: "PATCH_TOO_LARGE",
    });
  });

  test("fifty hunks over twenty files are one patch", async () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${String(index)}\n`).join("");
    const files = await PatchedFiles.of(
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`src/${String(index)}.ts`, text])),
    );
    const hunks = Array.from({ length: 50 }, (_, index) => [
      `*** Update File: src/${String(index % 20)}.ts`,
      "@@",
      ` line ${String(index + 100)}`,
      `-line ${String(index + 101)}`,
      `+changed ${String(index)}`,
    ]);

    const { modified } = await files.apply(patchOf(...hunks.flat()));

    expect(modified).toHaveLength(20);
    expect((await files.all())["src/0.ts"]).toContain("line 140\nchanged 40\nline 142\n");
  });
});

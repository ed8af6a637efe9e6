import { describe, expect, test } from "vitest";

import { patched, PatchedFiles, patchOf } from "./patched-files.js";

const HEADERS = "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'";

/** What a patch of these lines fails with. */
async function failure(...lines: readonly string[]): Promise<unknown> {
  return (await patched({ "foo.txt": "old\n" }, ...lines)).error;
}

/** What a whole text makes of a file. */
async function applied(text: string, before = "old\n"): Promise<string | undefined> {
  const files = await PatchedFiles.of({ "foo.txt": before });
  await files.apply(text);
  return (await files.all())["foo.txt"];
}

const PLAIN = patchOf("*** Update File: foo.txt", "@@", "-old", "+new");

describe("an error says what is wrong, and where", () => {
  test("an update without chunks (X85)", async () => {
    expect(await failure("*** Update File: foo.txt")).toMatchObject({
      code: "PATCH_SYNTAX",
      line: 2,
      message: "Invalid patch hunk on line 2: Update file hunk for path 'foo.txt' is empty",
      toolMessage:
        "apply_patch verification failed: invalid hunk at line 2, Update file hunk for path 'foo.txt' is empty",
    });
  });

  test("a header that is none (X88)", async () => {
    expect(await failure("*** Frobnicate File: foo")).toMatchObject({
      line: 2,
      message: `Invalid patch hunk on line 2: '*** Frobnicate File: foo' is not a valid hunk header. ${HEADERS}`,
    });
    expect(await failure("*** Add File: a", "+x", "y")).toMatchObject({ line: 4 });
  });

  test("a first chunk may lack its mark, and one after the end of the file may not (X99)", async () => {
    expect((await patched({ "foo.txt": "a\n" }, "*** Update File: foo.txt", "-a", "+b")).files).toEqual({
      "foo.txt": "b\n",
    });
    expect(await failure("*** Update File: foo.txt", "@@", "-old", "+new", "*** End of File", "-x")).toMatchObject({
      line: 7,
      message: "Invalid patch hunk on line 7: Expected update hunk to start with a @@ context marker, got: '-x'",
    });
  });

  test("a chunk without lines, and a line that is none", async () => {
    expect(await failure("*** Update File: foo.txt", "@@")).toMatchObject({
      message: "Invalid patch hunk on line 4: Update hunk does not contain any lines",
    });
    expect(await failure("*** Update File: foo.txt", "@@", "*** End of File")).toMatchObject({
      message: "Invalid patch hunk on line 4: Update hunk does not contain any lines",
    });
    expect(await failure("*** Update File: foo.txt", "@@", "bad")).toMatchObject({
      message:
        "Invalid patch hunk on line 4: Unexpected line found in update hunk: 'bad'. Every line should start with " +
        "' ' (context line), '+' (added line), or '-' (removed line)",
    });
  });

  test("a text that is blank, or lacks its first or its last line (X108)", async () => {
    const files = new PatchedFiles();
    const first = "The first line of the patch must be '*** Begin Patch'";
    const last = "The last line of the patch must be '*** End Patch'";

    for (const text of ["", " \n\n", "bad", "*** Add File: a\n+x\n*** End Patch"]) {
      await expect(files.apply(text)).rejects.toMatchObject({
        line: null,
        message: `Invalid patch: ${first}`,
        toolMessage: `apply_patch verification failed: invalid patch: ${first}`,
      });
    }
    for (const text of ["*** Begin Patch\nbad", "*** End Patch\n*** Begin Patch", "<<EOF\n*** Begin Patch\n+x\nEOF"]) {
      await expect(files.apply(text)).rejects.toMatchObject({ message: `Invalid patch: ${last}` });
    }
  });
});

describe("a patch is read as models write it", () => {
  test("with blanks around headers and marks (X92)", async () => {
    expect(await applied("  *** Begin Patch \n  *** Update File: foo.txt  \n@@\n-old\n+new\n*** End Patch  ")).toBe(
      "new\n",
    );
    expect(await applied(`\n\n${PLAIN}\n\n`)).toBe("new\n");
  });

  test.each(["<<EOF", "<<'EOF'", '<<"EOF"', "<<\"EOF'"])("in a heredoc that begins with %s (X97)", async (head) => {
    expect(await applied(`${head}\n${PLAIN}\nEOF\n`)).toBe("new\n");
  });

  test.each([
    ["in a fence of Markdown", `\`\`\`diff\n${PLAIN}\n\`\`\``],
    ["in the middle of text", `Here is the patch:\n\n${PLAIN}\n\nIt renames one line.`],
    ["with marks in another case", "*** BEGIN PATCH\n*** update file: foo.txt\n@@\n-old\n+new\n*** end patch"],
    ["with Windows line ends", PLAIN.replaceAll("\n", "\r\n")],
    ["with empty lines between its hunks", PLAIN.replace("+new\n", "+new\n\n").replace("Patch\n", "Patch\n\n")],
  ])("%s", async (_, text) => {
    expect(await applied(text)).toBe("new\n");
  });

  test("with several lines of context, each below the one before", async () => {
    const before = "class A:\n  def f():\n    pass\nclass B:\n  def f():\n    pass\n";
    const text = patchOf("*** Update File: foo.txt", "@@ class B:", "@@   def f():", "-    pass", "+    return 1");

    expect(await applied(text, before)).toBe("class A:\n  def f():\n    pass\nclass B:\n  def f():\n    return 1\n");
  });
});

test("a patch of more than a hundred thousand lines is refused before it is read", async () => {
  const files = new PatchedFiles();

  await expect(files.apply("\n".repeat(200_000))).rejects.toMatchObject({ code: "PATCH_TOO_LARGE" });
  await expect(files.apply(patchOf(...Array.from({ length: 3000 }, () => "*** Add File: a")))).rejects.toMatchObject({
    code: "PATCH_TOO_LARGE",
  });
  await expect(files.apply("x".repeat(5_000_000))).rejects.toMatchObject({ code: "PATCH_TOO_LARGE" });
});

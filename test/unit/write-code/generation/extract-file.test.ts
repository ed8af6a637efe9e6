import { describe, expect, test } from "vitest";

import { extractFile } from "../../../../src/write-code/generation/extract-file.js";
import { languageOf, tagFits } from "../../../../src/write-code/generation/languages.js";
import { F } from "../../../agents/replies.js";

const lines = (...all: string[]): string => all.join("\n");
const textOf = async (reply: string, path: string): Promise<string | null> => {
  const extracted = await extractFile(reply, path);
  return extracted.kind === "text" ? extracted.text : null;
};
const languageIn = async (reply: string, path: string): Promise<string | null> => {
  const extracted = await extractFile(reply, path);
  return extracted.kind === "text" ? extracted.language : null;
};

describe("a file is taken out of a reply", () => {
  test("from the block, and not from the words around it (W43)", async () => {
    const reply = lines("Here it is:", `${F}python`, "def f():", "    return 1", F, "It returns 1.");

    expect(await extractFile(reply, "a.py")).toEqual({
      kind: "text",
      text: "def f():\n    return 1",
      language: "python",
      isOtherLanguage: false,
      isUnclosed: false,
    });
  });

  test("as a whole where there is no block, in the language of its name (W44)", async () => {
    expect(await extractFile("\n x = 1\n\n", "a.py")).toMatchObject({ text: "x = 1", language: "python" });
    expect(await languageIn("hello", "NOTES")).toBe("unknown");
  });

  test("with the language in lower case, as the fence says it (W45)", async () => {
    expect(await languageIn(lines(`${F}TypeScript`, "let a = 1;", F), "a.ts")).toBe("typescript");
    expect(await languageIn(lines(`${F}Py`, "a = 1", F), "a.py")).toBe("py");
  });

  test.each([
    ["an empty block", lines(`${F}python`, F)],
    ["a block of blanks", lines("See:", `${F}python`, "", "   ", F)],
    ["blanks", " \n\t\n"],
    ["nothing", ""],
    ["thoughts alone", "<think>What would that be?</think>\n"],
    ["thoughts that never end", "<think>What would that be?"],
  ])("but not from %s (W47)", async (_, reply) => {
    expect(await extractFile(reply, "a.py")).toEqual({ kind: "none" });
  });

  test("from the largest block of its language, not from the first (W48)", async () => {
    const reply = lines(
      "Install it:",
      `${F}bash`,
      "pip install something-with-a-long-name another-with-a-long-name and-one-more-of-them",
      F,
      `${F}python`,
      "import a",
      F,
      `${F}python`,
      "import a",
      "a.run()",
      F,
      `${F}python`,
      "a()",
      F,
    );

    expect(await textOf(reply, "a.py")).toBe("import a\na.run()");
    expect(await textOf(reply, "install.sh")).toContain("pip install");
  });

  test("from a block without a tag before one of another language (W48)", async () => {
    const reply = lines(`${F}json`, '{"a": "of another language, and long"}', F, F, "a = 1", F);

    expect(await textOf(reply, "a.py")).toBe("a = 1");
    expect(await extractFile(lines(`${F}javascript`, "let a = 1;", F), "a.py")).toMatchObject({
      text: "let a = 1;",
      language: "javascript",
      isOtherLanguage: true,
    });
  });

  test("up to a fence at the start of a line that is as long as the first (W49)", async () => {
    const code = lines(`FENCE = "${F}"`, `text = f"{FENCE}python ${F} x"`, `  # ${F}`);

    expect(await textOf(lines(`${F}python`, code, F), "a.py")).toBe(code);
    expect(await textOf(lines(`${F}\`python`, code, F, "b = 1", `${F}\``), "a.py")).toBe(lines(code, F, "b = 1"));
  });

  test("with the fences in a string of its code (W49)", async () => {
    const code = lines('"""Shows a table.', "", `${F}python`, "show()", F, "", F, "plain", F, '"""', "x = 1");

    expect(await textOf(lines("Here:", `${F}python`, code, F, "Done."), "a.py")).toBe(code);
    expect(await textOf(lines("Here:", F, code, F, "Done."), "a.py")).toBe(code);
  });

  test("with tagged blocks in a text of another language (W49)", async () => {
    const code = lines("/*", `${F}js`, "run();", F, "*/", "let a = 1;");

    expect(await textOf(lines(`${F}javascript`, code, F), "a.js")).toBe(code);
  });

  test("to the end of a reply that ends before its block does", async () => {
    expect(await extractFile(lines(`${F}python`, "a = 1", "b = 2"), "a.py")).toMatchObject({
      text: "a = 1\nb = 2",
      isUnclosed: true,
    });
    expect(await extractFile(lines(`${F}python`, `a = 1${F}`), "a.py")).toMatchObject({
      text: "a = 1",
      isUnclosed: false,
    });
  });

  test("in the language of its name where the fence has no tag, or one that is no language (W84)", async () => {
    expect(await languageIn(lines(F, "a = 1", F), "a.py")).toBe("python");
    expect(await languageIn(lines(`${F}text`, "a = 1", F), "a.py")).toBe("python");
    expect(await languageIn(lines(`${F}src/a.py`, "a = 1", F), "src/a.py")).toBe("python");
    expect(await languageIn(lines(`${F}zig`, "a = 1", F), "a.zig")).toBe("zig");
    expect(await languageIn(lines(F, "FROM x", F), "Dockerfile")).toBe("dockerfile");
  });

  test("without what a reasoning model thought before it", async () => {
    const reply = lines("<think>Perhaps", `${F}python`, "draft()", F, "</think>", `${F}python`, "final()", F);

    expect(await textOf(reply, "a.py")).toBe("final()");
    expect(await textOf("<think>Hm.</think># Title\n", "README.md")).toBe("# Title\n");
  });

  test("with its lines as they are, however the reply ends them", async () => {
    expect(await textOf(`${F}python\r\na = 1\r\n  b = 2\r\n${F}\r\n`, "a.py")).toBe("a = 1\n  b = 2");
    expect(await textOf(lines("1. Write:", `   ${F}python`, "   a:", "     b", `   ${F}`), "a.py")).toBe("a:\n  b");
  });
});

describe("a Markdown file", () => {
  test("is the reply, unchanged (W50)", async () => {
    const reply = lines("# Title", "", `${F}python`, "a = 1", F, "", "The end.  ", "");

    expect(await extractFile(reply, "README.md")).toMatchObject({ text: reply, language: "markdown" });
    expect(await textOf(reply, "docs/Guide.MARKDOWN")).toBe(reply);
  });

  test.each([
    ["a fence around all of it", ["", ""]],
    ["words around the fence", ["Here is the file:\n\n", "\n\nLet me know what to change."]],
  ])("loses %s, and keeps the fences inside (W51)", async (_, [before = "", after = ""]) => {
    const document = lines("# Title", "", `${F}python`, "a = 1", F, "", F, "plain", F, "", "The end.", "");

    expect(await textOf(`${before}${F}markdown\n${document}${F}${after}`, "README.md")).toBe(document);
    expect(await textOf(`${before}${F}\`md\n${document}${F}\`${after}`, "README.md")).toBe(document);
  });

  test("keeps a fence that is an example in it (W51)", async () => {
    const example = lines("# How to write", "", `${F}markdown`, "# A title", F, "");
    const behind = lines(`${F}markdown`, "# A title", F, "", "# What that is", "");

    expect(await textOf(example, "README.md")).toBe(example);
    expect(await textOf(behind, "README.md")).toBe(behind);
  });

  test("that is wrapped and never closed goes to the end (W51)", async () => {
    expect(await textOf(lines(`${F}markdown`, "# T", `${F}js`, "x", F, ""), "README.md")).toBe(
      lines("# T", `${F}js`, "x", F, ""),
    );
  });
});

describe("whatever the reply is, the work grows with its length and no faster", () => {
  const filled = (piece: string, length = 5_000_000): string => piece.repeat(Math.ceil(length / piece.length));

  test.each([
    ["fences without a tag", `${F}\n`],
    ["fences that open", `${F}js\n`],
    ["fences that nothing closes", `${F}\`\`python x\n`],
    ["longer and longer fences", Array.from({ length: 300 }, (_, index) => "`".repeat(index + 3)).join("\n")],
    ["strings that never end", `${F}python\nx = """\n${F}\n`],
    ["fences further in", `   ${F}\n${F}python\n`],
    ["fences in one line", `${F} `],
    ["backticks", "`"],
    ["blank lines", "\n"],
    ["blanks", " "],
    ["thoughts", "<think>"],
    ["ends of thoughts", "x</think>"],
    ["ends of thoughts in a block", `${F}python\nx</think>`],
  ])("of %s", async (_, piece) => {
    expect(await extractFile(filled(piece), "a.py")).toHaveProperty("kind");
    for (const path of ["a.js", "a.md"]) {
      expect(await extractFile(filled(piece, 500_000), path)).toHaveProperty("kind");
    }
  });

  test("of code", async () => {
    const code = filled('def f(x):\n    """A text."""\n    return [x, "`"]\n');

    expect((await textOf(`${F}python\n${code}${F}\n`, "a.py"))?.length).toBe(code.trimEnd().length);
  });
});

test("a tag is of the file's language, of another, or says nothing", () => {
  expect(tagFits("js", "a.ts")).toBe("yes");
  expect(tagFits("ts", "a.js")).toBe("no");
  expect(tagFits("", "a.ts")).toBe("unknown");
  expect(tagFits("text", "a.ts")).toBe("unknown");
  expect(tagFits("python", "LICENSE")).toBe("unknown");
  expect(tagFits("xml", "icon.svg")).toBe("yes");
  expect(languageOf("a/b.YML")).toBe("yaml");
  expect(languageOf("Makefile")).toBe("makefile");
  expect(languageOf(".env")).toBeUndefined();
});

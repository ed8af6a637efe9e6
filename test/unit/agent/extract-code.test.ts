import { describe, expect, test } from "vitest";

import { extractCode } from "../../../src/agent/conversation/extract-code.js";

const F = "```";
const block = (tag: string, ...lines: string[]): string => [F + tag, ...lines, F].join("\n");
const codeOf = (reply: string): string | undefined => extractCode(reply)?.code;

describe("the code of a reply", () => {
  test("is the block, without the prose around it", () => {
    expect(codeOf(`I add.\n${block("python", "x = 2 + 3", "final_answer(x)")}\nDone.`)).toBe(
      "x = 2 + 3\nfinal_answer(x)",
    );
  });

  test("is missing where there is no block, or nothing in it (T11, T12)", () => {
    for (const reply of [
      "",
      "  \n",
      "I would rather not.",
      block("python"),
      block("python", "", "  "),
      "use `x` or ```x```",
    ]) {
      expect(extractCode(reply), reply).toBeNull();
    }
  });

  test("may be in a block without a tag (T13)", () => {
    expect(codeOf(block("", "print(1)"))).toBe("print(1)");
  });

  test.each(["python", "py", "Python", "python3", "PYTHON", " python", "python title=a.py", "py3", "python3.12"])(
    "may be tagged as %j, and the tag is no code (T14)",
    (tag) => {
      expect(codeOf(block(tag, "print(1)"))).toBe("print(1)");
    },
  );

  test.each(["json", "bash", "pycon", "text"])("is not a block tagged as %s (T15)", (tag) => {
    expect(codeOf(`${block(tag, "nothing")}\n${block("python", "print(1)")}`)).toBe("print(1)");
    expect(codeOf(`${block(tag, "nothing")}\n${block("", "print(2)")}`)).toBe("print(2)");
    expect(extractCode(block(tag, "nothing"))).toBeNull();
  });

  test("is the first tagged block, before any that has no tag (T15)", () => {
    expect(codeOf(`${block("", "data")}\n${block("python", "print(1)")}`)).toBe("print(1)");
  });

  test("is the first of several, and the others are counted (T16)", () => {
    const reply = [
      block("python", "print(1)"),
      block("json", "{}"),
      block("py", "print(2)"),
      block("python", "print(3)"),
    ].join("\n");

    expect(extractCode(reply)).toEqual({ code: "print(1)", ignoredBlocks: 2, unclosed: false, endsInString: false });
  });

  test("runs to the end of the reply where a tagged block is not closed (T17)", () => {
    expect(extractCode(`Here:\n${F}python\nprint(1)\nprint(2)\n`)).toEqual({
      code: "print(1)\nprint(2)",
      ignoredBlocks: 0,
      unclosed: true,
      endsInString: false,
    });
    expect(extractCode(`Here:\n${F}\nprint(1)\n`)).toBeNull();
  });

  test("keeps backticks inside a line (T18)", () => {
    expect(codeOf(block("python", `text = "${F}json"`, `more = "${F}"`))).toBe(`text = "${F}json"\nmore = "${F}"`);
  });

  test("keeps fences on lines of their own inside a string (T18)", () => {
    const lines = ['report = """', `it's`, F, "data", F, '"""', "# it's", `s = 'a"""'`, "final_answer(report)"];

    expect(codeOf(`${block("python", ...lines)}\nDone.\n${block("json", "{}")}`)).toBe(lines.join("\n"));
  });

  test("ends at the first fence where a string is never closed", () => {
    expect(codeOf(`${block("python", 'x = """unfinished')}\nSo much for that.`)).toBe('x = """unfinished');
  });

  test("ends at a fence that stands up to three blanks further in, as in Markdown", () => {
    expect(codeOf(`${F}python\nprint(1)\n  ${F}\nDone.`)).toBe("print(1)");
    expect(codeOf(`${F}python\nprint(1)\n   ${F}\nDone.`)).toBe("print(1)");
    expect(codeOf(`${F}python\nif x:\n    ${F}\n    print(1)\n${F}\nDone.`)).toBe(`if x:\n    ${F}\n    print(1)`);
  });

  test("may be closed behind its last line, at the end of the reply", () => {
    const whole = { code: "x = 1\nprint(x)", ignoredBlocks: 0, unclosed: false, endsInString: false };

    expect(extractCode(`${F}python\nx = 1\nprint(x)${F}`)).toEqual(whole);
    expect(extractCode(`${F}python\nx = 1\nprint(x) ${F}\n`)).toEqual(whole);
  });

  test("may be one line with both of its fences, where it is tagged and alone there", () => {
    expect(codeOf(`I add.\n${F}python print(1)${F}\nDone.`)).toBe("print(1)");
    expect(codeOf(`- ${F}py x = "\`"; print(x) ${F}`)).toBe('x = "`"; print(x)');
    expect(extractCode(`Use ${F}python print(1)${F} for it.`)).toBeNull();
    expect(extractCode(`${F}print(1)${F}`)).toBeNull();
    expect(extractCode(`${F}python ${F}`)).toBeNull();
  });

  test("may hold strings of every kind, with quotes of others and escapes in them (T18)", () => {
    const lines = [
      String.raw`a = "'''" + '"""' + "\"'''"`,
      String.raw`b = 'one \ `.trimEnd(),
      String.raw`"""two\''`,
      `c = ""  # '''`,
      `d = """`,
      String.raw`\""" it's`,
      F,
      `"""  # """`,
      "final_answer(a + b + c + d)",
    ];

    expect(codeOf(`${block("python", ...lines)}\nDone.\n${block("json", "{}")}`)).toBe(lines.join("\n"));
  });

  test("ends at a fence in a string that does not end, and says so", () => {
    const reply = `${F}python\nreport = """\n${F}js\nx\n${F}\nand more`;

    expect(extractCode(reply)).toMatchObject({ code: `report = """\n${F}js\nx`, unclosed: false, endsInString: true });
  });

  const asked = block("python", "print(1)");
  const quotes = `'"`.repeat(500_000);
  const tags = "</think> ".repeat(120_000).trim();
  // Where the work grew faster than the reply some of these would take hours.
  test.each([
    ["fences in a string that never ends", `${F}python\nx = """\n${`${F}\n`.repeat(300_000)}`, 'x = """'],
    ["blocks with strings that never end", `${F}py\nx = \\"""\n${F}\n`.repeat(100_000), 'x = \\"""'],
    ["a long tag", `${F}${"a".repeat(1_000_000)}\`\n${asked}`, "print(1)"],
    ["blanks behind a fence", `${F}${" ".repeat(1_000_000)}\`\n${asked}`, "print(1)"],
    ["backticks", `${"`".repeat(1_000_000)}x\`\n${asked}`, "print(1)"],
    ["quotes", block("python", `x = ${quotes}`, "print(1)"), `x = ${quotes}\nprint(1)`],
    ["closing tags", block("python", `print(1) # ${tags}`), `print(1) # ${tags}`],
    ["opening tags of thoughts", `${asked}\n${"<think>".repeat(200_000)}`, "print(1)"],
  ])("is found among a million characters of %s", (_, reply, expected) => {
    // Not by a matcher, which would print both.
    expect(codeOf(reply) === expected).toBe(true);
  });

  test("loses its common indentation and keeps the rest", () => {
    expect(codeOf(block("python", "    if x:", "", "        print(1)", "    print(2)"))).toBe(
      "if x:\n\n    print(1)\nprint(2)",
    );
  });

  test("loses it also below a comment that is not indented", () => {
    expect(codeOf(block("python", "# Sums up.", "    x = 1", "    if x:", "        print(x)"))).toBe(
      "# Sums up.\nx = 1\nif x:\n    print(x)",
    );
    expect(codeOf(block("python", "# Only this."))).toBe("# Only this.");
  });

  test("may stand in a list item, with its fences indented alike", () => {
    expect(codeOf(`1. Look:\n   ${F}python\n   print(1)\n   ${F}\n2. Done.`)).toBe("print(1)");
    expect(codeOf(`- ${F}python\n  print(1)\n  ${F}`)).toBe("print(1)");
  });

  test("may follow a sentence on the same line, where it is tagged", () => {
    expect(codeOf(`Code: ${F}python\nprint(1)\n${F}`)).toBe("print(1)");
    expect(codeOf(`Mind the ${F} in it.\n${block("python", "print(1)")}`)).toBe("print(1)");
  });

  test("may be fenced with more backticks, and then holds fences of three", () => {
    expect(codeOf(`${F}\`python\nx = 1\n${F}\ny = 2\n${F}\``)).toBe(`x = 1\n${F}\ny = 2`);
  });

  test("may have any line ends", () => {
    expect(codeOf(`${F}python\r\nx = 1\r\nprint(x)\r\n${F}\r\n`)).toBe("x = 1\nprint(x)");
  });

  test("is not what the model drafted while it was thinking", () => {
    expect(codeOf(`<think>Maybe\n${block("python", "draft()")}\n</think>\n${block("python", "print(1)")}`)).toBe(
      "print(1)",
    );
    expect(extractCode(`<think>Maybe\n${block("python", "draft()")}`)).toBeNull();
  });

  test("is not what it drafted before a closing tag alone: the opening one stood in the prompt", () => {
    expect(codeOf(`Maybe\n${block("python", "draft()")}\n</think>\n${block("python", "print(1)")}`)).toBe("print(1)");
    expect(extractCode(`Maybe\n${block("python", "draft()")}\n</think>\n\nI would rather not.`)).toBeNull();
  });

  test("is not a draft behind a tag that the thoughts only speak of", () => {
    const thoughts = `<think>I split at "</think>".\n${block("python", "draft()")}\n</think>`;
    expect(codeOf(`${thoughts}\n${block("python", "print(1)")}`)).toBe("print(1)");
  });

  test("is not a draft whose block was left open before the closing tag", () => {
    expect(codeOf(`Maybe\n${F}python\ndraft()\n</think>\n${block("python", "print(1)")}`)).toBe("print(1)");
  });

  test("may follow its thoughts at once", () => {
    expect(codeOf(`It is "it".</think>${block("python", "print(1)")}`)).toBe("print(1)");
  });

  test.each([
    `said = text.split("</think>")[-1]`,
    String.raw`said = text.split("</think>\n")[-1]`,
    String.raw`parts = re.split(r"\s*</think>", text)`,
    `import re\nsaid = re.sub("<think>.*?</think>", "", text)`,
    'm = re.search(r"</think>(.*)", text)\nfinal_answer(m[1])',
    "# what stands after </think> counts\nprint(1)",
    'said = f"</think>{rest}"',
  ])("may speak of such tags itself: %j", (code) => {
    expect(codeOf(`I cut it.\n${block("python", code)}`)).toBe(code);
  });
});

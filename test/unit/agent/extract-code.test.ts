import { describe, expect, test } from "vitest";

import { extractCode } from "../../../src/agent/code/extract-code.js";

const F = "```";
const block = (tag: string, ...lines: string[]): string => [F + tag, ...lines, F].join("\n");
const codeOf = (reply: string): string | undefined => extractCode(reply)?.code;

describe("the code of a reply", () => {
  test("is the block, without the prose around it", () => {
    expect(codeOf(`I add.\n${block("python", "x = 2 + 3", "final_answer(x)")}\nDone.`)).toBe(
      "x = 2 + 3\nfinal_answer(x)",
    );
  });

  test("T11, T12: is missing where there is no block, or nothing in it", () => {
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

  test("T13: may be in a block without a tag", () => {
    expect(codeOf(block("", "print(1)"))).toBe("print(1)");
  });

  test.each(["python", "py", "Python", "python3", "PYTHON", " python", "python title=a.py", "py3"])(
    "T14: may be tagged as %j, and the tag is no code",
    (tag) => {
      expect(codeOf(block(tag, "print(1)"))).toBe("print(1)");
    },
  );

  test.each(["json", "bash", "pycon", "text"])("T15: is not a block tagged as %s", (tag) => {
    expect(codeOf(`${block(tag, "nothing")}\n${block("python", "print(1)")}`)).toBe("print(1)");
    expect(codeOf(`${block(tag, "nothing")}\n${block("", "print(2)")}`)).toBe("print(2)");
    expect(extractCode(block(tag, "nothing"))).toBeNull();
  });

  test("T15: is the first tagged block, before any that has no tag", () => {
    expect(codeOf(`${block("", "data")}\n${block("python", "print(1)")}`)).toBe("print(1)");
  });

  test("T16: is the first of several, and the others are counted", () => {
    const reply = [
      block("python", "print(1)"),
      block("json", "{}"),
      block("py", "print(2)"),
      block("python", "print(3)"),
    ].join("\n");

    expect(extractCode(reply)).toEqual({ code: "print(1)", ignoredBlocks: 2, unclosed: false });
  });

  test("T17: runs to the end of the reply where a tagged block is not closed", () => {
    expect(extractCode(`Here:\n${F}python\nprint(1)\nprint(2)\n`)).toEqual({
      code: "print(1)\nprint(2)",
      ignoredBlocks: 0,
      unclosed: true,
    });
    expect(extractCode(`Here:\n${F}\nprint(1)\n`)).toBeNull();
  });

  test("T18: keeps backticks inside a line", () => {
    expect(codeOf(block("python", `text = "${F}json"`, `more = "${F}"`))).toBe(`text = "${F}json"\nmore = "${F}"`);
  });

  test("T18: keeps fences on lines of their own inside a string", () => {
    const lines = ['report = """', `it's`, F, "data", F, '"""', "# it's", `s = 'a"""'`, "final_answer(report)"];

    expect(codeOf(`${block("python", ...lines)}\nDone.\n${block("json", "{}")}`)).toBe(lines.join("\n"));
  });

  test("ends at the first fence where a string is never closed", () => {
    expect(codeOf(`${block("python", 'x = """unfinished')}\nSo much for that.`)).toBe('x = """unfinished');
  });

  test("loses its common indentation and keeps the rest", () => {
    expect(codeOf(block("python", "    if x:", "", "        print(1)", "    print(2)"))).toBe(
      "if x:\n\n    print(1)\nprint(2)",
    );
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
});

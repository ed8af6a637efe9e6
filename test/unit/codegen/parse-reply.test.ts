import { describe, expect, test } from "vitest";

import { parseReply } from "../../../src/codegen/writer/parse-reply.js";
import { ProgramReader } from "../../../src/codegen/writer/program-reader.js";

const F = "```";
const CODE = 'text = """a\n  b"""\nawait done()';
const reply = (path: string, content = CODE): string =>
  JSON.stringify({ files: [{ path, content }], entrypoint: "python main.py", outputs: [], notes: "Why." });

describe("a reply of the model", () => {
  test.each([
    ["bare JSON", reply("main.py")],
    ["fenced JSON", `Here it is.\n${F}json\n${reply("main.py")}\n${F}\nGood luck.`],
    ["JSON in a sentence", `The program: ${reply("./main.py")} Done.`],
  ])("is read as %s", (_, text) => {
    expect(parseReply(text)).toEqual({ kind: "program", code: CODE, others: [], notes: "Why." });
  });

  test("is found among blocks of other things", () => {
    const text = `${F}python\nx = 1\n${F}\nAs JSON:\n${F}json\n${reply("main.py")}\n${F}\n${F}\n{"files": 1}\n${F}`;
    expect(parseReply(text)).toMatchObject({ kind: "program", code: CODE });
  });

  test("that is nothing but fences is read to its end", () => {
    for (const line of [`x${F}\n`, `${F}json\n`, `${F} ${" ".repeat(50)}!\n`]) {
      expect(parseReply(line.repeat(100_000)).kind).toMatch(/^codegen_no/);
    }
  });

  test("is read as a fenced block of Python", () => {
    expect(parseReply(`First I think.\n${F}python\n${CODE}\n${F}`)).toMatchObject({ kind: "program", code: CODE });
  });

  test("names other files, which are not run", () => {
    const files = [
      { path: "main.py", content: "x = 1" },
      { path: "README.md", content: "y" },
    ];
    expect(parseReply(JSON.stringify({ files }))).toMatchObject({ code: "x = 1", others: ["README.md"] });
  });

  test("is no program where it was cut off within its block, and is one where only the last fence is missing", () => {
    const open = `${F}python\n${CODE}`;
    expect(parseReply(open, { isCut: true })).toMatchObject({ kind: "codegen_no_main_py" });
    expect(parseReply(`${open}\n${F}\nIt`, { isCut: true })).toMatchObject({ kind: "program", code: CODE });
    expect(parseReply(open)).toMatchObject({ kind: "program", code: CODE });
    const inString = `${F}python\nreport = """\n${F}js\nx\n${F}\nand more`;
    expect(parseReply(inString, { isCut: true })).toMatchObject({ kind: "codegen_no_main_py" });
  });

  test("without files or main.py says which (G15)", () => {
    expect(parseReply("No.")).toMatchObject({ kind: "codegen_no_files" });
    expect(parseReply('{"files": []}')).toMatchObject({ kind: "codegen_no_files" });
    expect(parseReply(reply("other.py"))).toMatchObject({ kind: "codegen_no_main_py", receivedFiles: ["other.py"] });
    expect(parseReply(reply("main.py", " "))).toMatchObject({ kind: "codegen_no_main_py" });
  });
});

describe("a program that is being written", () => {
  test.each([
    ["JSON", reply("main.py", 'x = "é\\n"\n\ty = 1 # “q”')],
    ["JSON with escaped letters", reply("main.py").replace("await", "\\u0061wait")],
    ["Python", `Well.\n${F}python\n${CODE}\n${F}\n`],
  ])("grows and never shows what is not in it, as %s", (_, text) => {
    const parsed = parseReply(text);
    const whole = parsed.kind === "program" ? parsed.code : "";
    for (const size of [1, 2, 24, 10_000]) {
      const reader = new ProgramReader();
      const pieces = text.match(new RegExp(`[^]{1,${String(size)}}`, "gu")) ?? [];
      const shown = pieces.map((piece) => reader.read(piece));

      if (size < 10) expect(shown[0]).toBe("");
      expect(shown.join("")).toBe(whole);
    }
  });

  test("is read in time that grows with the reply and no faster", () => {
    const reader = new ProgramReader();
    const text = reply("main.py", "x = 1\n".repeat(100_000));
    let shown = "";
    for (let at = 0; at < text.length; at += 24) shown += reader.read(text.slice(at, at + 24));
    expect(shown).toHaveLength(600_000);
    expect(new ProgramReader().read(`{"content": "${"a\\n".repeat(1_000_000)}`)).toHaveLength(2_000_000);
  });
});

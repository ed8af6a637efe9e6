import { describe, expect, test } from "vitest";

import { parseReply, programSoFar } from "../../../src/codegen/parse-reply.js";

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

  test("G15: without files or main.py says which", () => {
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
    const shown = Array.from(text, (_letter, index) => programSoFar(text.slice(0, index + 1)));

    expect(shown[0]).toBeNull();
    expect(shown.at(-1)?.trimEnd()).toBe(whole);
    for (const code of shown) expect(code === null || whole.startsWith(code.replace(/\n`{0,2}$/, ""))).toBe(true);
  });
});

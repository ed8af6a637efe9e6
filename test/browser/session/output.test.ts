import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type OutputChunk, type RunResult, type Session } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

describe.each(hosts)("output at the $host host", ({ trust }) => {
  let session: Session;
  let held: PromiseWithResolvers<null>;

  beforeAll(async () => {
    session = await openSession({
      trust,
      limits: { outputLength: 1000, valueSize: 10_000 },
      tools: [
        functionTool({
          name: "hold",
          description: "Answers when the test has seen what it waits for.",
          input: z.object({}),
          run: () => held.promise,
        }),
      ],
    });
  });
  afterAll(async () => {
    await session.close();
  });

  const shown = async (code: string): Promise<RunResult["outputs"]> => {
    const { outputs, error } = await session.run(code);
    expect(error).toBeNull();
    return outputs;
  };

  test("is what scripts take for a text file: it can be reconfigured, wrapped, and written to by its number", async () => {
    const { stdout, stderr, value, error } = await session.run(`
import io, os, sys
sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
print("one")
os.write(sys.stdout.fileno(), b"two\\n")
os.write(sys.stderr.fileno(), b"fault\\n")
sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding="utf-8", line_buffering=True)
print("three")
sys.stdout.flush()
[sys.stderr.mode, sys.stderr.encoding, sys.stderr.line_buffering]`);

    expect(error).toBeNull();
    expect(stdout).toBe("one\ntwo\nthree\n");
    expect(stderr).toBe("fault\n");
    expect(value).toEqual(["w", "utf-8", false]);
    expect((await session.run("import sys; sys.stdout.reconfigure(encoding='nonsense')")).error).toMatchObject({
      pythonType: "LookupError",
    });
  });

  test("comes while the code waits for a tool", async () => {
    const chunks: OutputChunk[] = [];
    held = Promise.withResolvers();

    const result = await session.run("print('first')\ntools.hold()\nprint('second')", {
      onOutput: (chunk) => {
        chunks.push(chunk);
        // Only the chunk itself lets the code go on.
        if (chunk.kind === "stdout" && chunk.text.includes("first")) held.resolve(null);
      },
    });

    expect(result.stdout).toBe("first\nsecond\n");
    expect(chunks.map((chunk) => (chunk.kind === "stdout" ? chunk.text : "")).join("")).toBe("first\nsecond\n");
  });

  test("comes while the code computes", async () => {
    const seen = Promise.withResolvers<string>();
    const running = session.run("print('early')\nprint('more')\nwhile True: pass", {
      timeout: 2000,
      onOutput: (chunk) => {
        if (chunk.kind === "stdout" && chunk.text.includes("more")) seen.resolve("output");
      },
    });

    const first = await Promise.race([seen.promise, running.then(() => "end of the run")]);

    expect(first).toBe("output");
    expect(await running).toMatchObject({ stdout: "early\nmore\n", error: { code: "RUN_TIMEOUT" } });
  });

  test("keeps stdout and stderr apart, and in order as it comes", async () => {
    const chunks: OutputChunk[] = [];

    const { stdout, stderr } = await session.run(
      "import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')\nsys.stdout.buffer.write('ü'.encode())",
      { onOutput: (chunk) => chunks.push(chunk) },
    );

    expect([stdout, stderr]).toEqual(["a\nc\nü", "b\n"]);
    // Chunks of one stream that follow each other may come as one.
    const order = chunks.map((chunk) => ("text" in chunk ? `${chunk.kind}: ${chunk.text}` : "")).join("");
    expect(order.replaceAll("stdout: \n", "\n").replaceAll("stderr: \n", "\n")).toMatch(
      /^stdout: a\nstderr: b\nstdout: c\n/,
    );
  });

  test("of lone surrogates and of objects is text", async () => {
    expect((await session.run("print('\\ud800', end='')\nprint([1], end='')")).stdout).toBe("?[1]");
  });

  test("over the limit is cut with a mark, and kept whole out of sight", async () => {
    const { stdout, notices } = await session.run("print('x' * 5000)");

    const name = /\[OUTPUT TRUNCATED: [^\]]* in (\S+)\]/.exec(stdout)?.[1] ?? "";
    expect(stdout.startsWith(`${"x".repeat(1000)}\n[OUTPUT TRUNCATED: 1,000 of 5,001 characters shown`)).toBe(true);
    expect(notices.join()).toContain(name);
    expect(await session.readOutput(name)).toBe(`${"x".repeat(5000)}\n`);
    expect(await session.artifacts.list()).toEqual([]);
  });

  test("over the limit is streamed up to the limit, with a mark", async () => {
    let streamed = "";
    await session.run("for _ in range(100): print('y' * 99)", {
      onOutput: (chunk) => {
        if (chunk.kind === "stdout") streamed += chunk.text;
      },
    });

    expect(streamed.replace(/\n\[OUTPUT TRUNCATED\]\n$/, "")).toBe(`${"y".repeat(99)}\n`.repeat(10));
    expect(streamed).toMatch(/\[OUTPUT TRUNCATED\]\n$/);
  });

  test("under the limit is not marked", async () => {
    const { stdout, notices } = await session.run("print('z' * 999)");

    expect([stdout, notices]).toEqual([`${"z".repeat(999)}\n`, []]);
  });

  test("of a value over the limit is a cut repr, and the whole is kept", async () => {
    const { value, notices } = await session.run("'v' * 20_000");

    expect(value).toMatchObject({ repr: expect.stringMatching(/^"?v+… \[VALUE TRUNCATED: 20002 bytes/) as string });
    const name = /in (\S*value\S*?)[.,]?$/.exec(notices.join(" "))?.[1] ?? "";
    expect(await session.readOutput(name)).toContain("v".repeat(20_000));
  });

  test.each([
    ["_repr_html_", "text/html", "'<b>x</b>'", "<b>x</b>"],
    ["_repr_svg_", "image/svg+xml", "'<svg/>'", "<svg/>"],
    ["_repr_png_", "image/png", "b'\\x89PNG'", Uint8Array.of(0x89, 80, 78, 71)],
    ["_repr_jpeg_", "image/jpeg", "b'\\xff\\xd8'", Uint8Array.of(0xff, 0xd8)],
    ["_repr_markdown_", "text/markdown", "'# x'", "# x"],
    ["_repr_latex_", "text/latex", "'$x$'", "$x$"],
    ["_repr_json_", "application/json", "{'a': 1}", '{"a": 1}'],
  ])("of a last value with %s is of type %s", async (method, mime, data, expected) => {
    const code = `class Rich:\n    def ${method}(self): return ${data}\n    def __repr__(self): return 'plain'\nRich()`;

    expect(await shown(code)).toStrictEqual([
      { kind: "display", source: "value", data: { [mime]: expected, "text/plain": "plain" } },
    ]);
  });

  test("of _repr_mimebundle_ is all its types, also with metadata", async () => {
    const bundle =
      "class Rich:\n    def _repr_mimebundle_(self, include=None, exclude=None): return ({'text/html': '<i>', 'text/plain': 'i'}, {})\nRich()";

    expect(await shown(bundle)).toEqual([
      { kind: "display", source: "value", data: { "text/html": "<i>", "text/plain": "i" } },
    ]);
  });

  test("of display() for a list of dicts is JSON, of which a page makes a table, beside the text", async () => {
    const outputs = await shown("display([{'city': 'Oslo', 'celsius': 7}], [1, {'a': 1}])");

    expect(outputs.map(({ data }) => data)).toEqual([
      { "application/json": '[{"city": "Oslo", "celsius": 7}]', "text/plain": "[{'city': 'Oslo', 'celsius': 7}]" },
      { "text/plain": "[1, {'a': 1}]" },
    ]);
  });

  test("of display() is rich or plain, and comes in order with text", async () => {
    const kinds: string[] = [];
    const { outputs } = await session.run(
      "class Rich:\n    def _repr_html_(self): return '<u>'\n    def __repr__(self): return 'r'\nprint('before')\ndisplay(Rich(), 'text', 5)\nprint('after')",
      { onOutput: (chunk) => kinds.push(chunk.kind) },
    );

    expect(outputs.map(({ source, data }) => [source, data])).toEqual([
      ["display", { "text/html": "<u>", "text/plain": "r" }],
      ["display", { "text/plain": "text" }],
      ["display", { "text/plain": "5" }],
    ]);
    // One print may come in two pieces.
    const merged = kinds.filter((kind, index) => kind === "display" || kind !== kinds[index - 1]);
    expect(merged).toEqual(["stdout", "display", "display", "display", "stdout"]);
  });

  test("of a plain value is no rich output", async () => {
    expect(await shown("[1, 2]")).toEqual([]);
    expect(await shown("class Rich:\n    def _repr_html_(self): return 'x'\nRich")).toEqual([]);
    expect(await shown("class Rich:\n    def _repr_html_(self): return None\nRich()")).toEqual([]);
  });

  test("of figures comes from a backend that matplotlib finds by its name, and imports no package", async () => {
    const { value } = await session.run(
      "import importlib.util, os, sys\nbackend = os.environ['MPLBACKEND'].removeprefix('module://')\n" +
        "[importlib.util.find_spec(backend) is not None, backend in sys.modules, 'numpy' in sys.modules]",
    );

    expect(value).toEqual([true, false, false]);
  });

  test("of figures that are open is there of a run that fails, too", async () => {
    // A drawing of the test's own stands for what pyplot would name.
    const drawing = `
from vitrine._packages import FIGURES
class Drawing:
    dpi = 100
    def get_size_inches(self): return 4, 3
    def savefig(self, file, **options): file.write(b"png")
    def __repr__(self): return "<drawing>"
FIGURES.show_open = lambda: FIGURES.show(Drawing())
`;
    try {
      const { outputs, error } = await session.run(`${drawing}raise ValueError("after the drawing")`);

      expect(error).toMatchObject({ pythonType: "ValueError", message: "after the drawing" });
      const png = new TextEncoder().encode("png");
      expect(outputs).toEqual([
        { kind: "display", source: "figure", data: { "image/png": png, "text/plain": "<drawing>" } },
      ]);
    } finally {
      await session.run("del FIGURES.show_open");
    }
  });

  test("of a broken form is reported, and costs neither the value nor the other forms", async () => {
    const { outputs, value, stderr, error } = await session.run(
      "class Half:\n    def _repr_html_(self): raise ValueError('broken')\n    def _repr_latex_(self): return '$h$'\n    def __repr__(self): return 'half'\nHalf()",
    );

    expect(error).toBeNull();
    expect(stderr).toContain("_repr_html_() of Half raised ValueError('broken')");
    expect(outputs).toMatchObject([{ data: { "text/latex": "$h$", "text/plain": "half" } }]);
    expect(value).toEqual({ repr: "half", type: "Half" });
  });

  test("of a broken repr says so", async () => {
    const { value, error } = await session.run("class Bad:\n    def __repr__(self): raise KeyError\nBad()");

    expect(error).toBeNull();
    expect(value).toEqual({ repr: "<Bad whose repr() raised KeyError>", type: "Bad" });
  });
});

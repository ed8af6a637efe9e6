import { describe, expect, test } from "vitest";

import type { Finding } from "../../../src/check/index.js";
import type { FileCheckOptions, TextInterpreter } from "../../../src/write-code/index.js";
import { checkText } from "../../../src/write-code/text/check-text.js";
import { numberedLines } from "../../../src/write-code/text/numbered-lines.js";
import { providedModules } from "../../../src/write-code/text/provided-modules.js";

const finding = (found: Partial<Finding>): Finding => ({
  ...{ severity: "error", code: "SYNTAX", message: "invalid syntax", line: 1, column: 1, suggestion: "" },
  ...{ pythonType: "SyntaxError" },
  ...found,
});

/** Finds that, and notes how it was asked. */
function finds(findings: readonly Finding[], asked: FileCheckOptions[] = []): () => Promise<TextInterpreter> {
  return () =>
    Promise.resolve({
      check: (_code, options = {}) => {
        asked.push(options);
        return Promise.resolve(findings);
      },
      repair: (texts) => Promise.resolve({ texts, isRepaired: false }),
    });
}

const python = (text: string) => ({
  path: "pkg/a.py",
  text,
  language: "python",
  batchPaths: ["pkg/a.py", "pkg/models.py"],
});

describe("Python that is to be written", () => {
  test("with errors has them in words for its model, with the lines around them", async () => {
    const text = Array.from({ length: 40 }, (_each, index) => `x${String(index + 1)} = ${String(index + 1)}`).join(
      "\n",
    );
    const errors = [
      finding({ line: 2, column: 5, message: "expected ':'", suggestion: "Correct this line." }),
      finding({
        line: 30,
        column: 1,
        code: "UNKNOWN_NAME",
        message: "name 'a' is not defined",
        pythonType: "NameError",
      }),
    ];

    const { problems, words, warnings } = await checkText(python(`${text}\n`), finds(errors));

    expect(problems).toEqual([
      "line 2, column 5: SyntaxError: expected ':' (Correct this line.)",
      "line 30, column 1: NameError: name 'a' is not defined",
    ]);
    expect(words.split("\n")).toEqual([
      ...["pkg/a.py was checked and cannot be used as it is:"],
      ...problems.map((problem) => `- ${problem}`),
      ...["", "The lines around it:", " 1 | x1 = 1", " 2 | x2 = 2", " 3 | x3 = 3", " 4 | x4 = 4", " 5 | x5 = 5", "…"],
      ...[27, 28, 29, 30, 31, 32, 33].map((line) => `${String(line)} | x${String(line)} = ${String(line)}`),
    ]);
    expect(warnings).toEqual([]);
  });

  test("with warnings alone has no problem", async () => {
    const found = [
      finding({ severity: "warning", code: "NO_NETWORK", message: "fetch() needs a network", pythonType: "OSError" }),
    ];

    expect(await checkText(python("fetch()\n"), finds(found))).toEqual({
      problems: [],
      words: "",
      warnings: ["line 1, column 1: OSError: fetch() needs a network"],
    });
  });

  test("may import what the batch and the call bring", async () => {
    const asked: FileCheckOptions[] = [];

    await checkText(
      { ...python("import models\n"), externalImports: ["numpy as np", "from flask import Flask"] },
      finds([], asked),
    );

    expect(asked[0]?.provided).toEqual(["pkg", "a", "models", "numpy", "np", "flask", "Flask"]);
  });

  test("is not checked where no interpreter comes, which is a warning", async () => {
    const none = (): Promise<TextInterpreter> => Promise.reject(new Error("The page allows no worker."));

    expect(await checkText(python("x = (\n"), none)).toEqual({
      problems: [],
      words: "",
      warnings: ["It was not checked: The page allows no worker."],
    });
  });

  test("is not waited for once the call is stopped", async () => {
    const stop = new AbortController();
    const stopping = (): Promise<TextInterpreter> => {
      stop.abort(new Error("stopped"));
      return Promise.reject(new Error("It was ended."));
    };

    await expect(checkText(python("x\n"), stopping, { signal: stop.signal })).rejects.toThrow("stopped");
  });

  test("of many mistakes and endless lines makes few words", async () => {
    const many = Array.from({ length: 100 }, (_each, index) =>
      finding({ line: index * 20 + 1, message: "m".repeat(900) }),
    );

    const { problems, words } = await checkText(python(`${"y".repeat(5000)}\n`.repeat(2000)), finds(many));

    expect(problems).toHaveLength(11);
    expect(problems.at(-1)).toBe("and 90 more");
    expect(words.length).toBeLessThan(20_000);
  });

  test.each([
    ["script", "python", 1],
    ["bin/run.sh", "python", 0],
    ["types.pyi", "unknown", 1],
    ["a.js", "javascript", 0],
  ])("is what %s in %s is: %i checks", async (path, language, checks) => {
    const asked: FileCheckOptions[] = [];

    await checkText({ path, language, text: "x\n", batchPaths: [path] }, finds([], asked));

    expect(asked).toHaveLength(checks);
  });

  test("with nothing in it is fine", async () => {
    expect(await checkText(python("\n"), finds([finding({})]))).toEqual({ problems: [], words: "", warnings: [] });
  });
});

test("a place beyond the end of a text shows its last lines", () => {
  expect(numberedLines("a\nb\n", [9])).toBe("1 | a\n2 | b");
});

test("modules are named by files and folders", () => {
  expect(providedModules(["app/__init__.py", "cli.py", "web/app.test.ts"], [])).toEqual([
    "app",
    "__init__",
    "cli",
    "web",
  ]);
});

import { describe, expect, test } from "vitest";

import { F } from "../../../agents/replies.js";
import { scriptedModel, scriptedWork } from "../../../write-code/scripted-models.js";
import { code, codes, generate, textOf, unavailable } from "./generating.js";

describe("a candidate is out before anybody chooses", () => {
  test.each([
    ["says nothing", "", "a.py", "EMPTY_REPLY"],
    ["says blanks", " \n", "a.py", "EMPTY_REPLY"],
    ["only thinks", "<think>Hm.</think>", "a.py", "EMPTY_REPLY"],
    ["sends an empty block", code(""), "a.py", "NO_CODE"],
    ["sends an error text", "# Error: Code generation failed for a.py", "a.py", "PLACEHOLDER"],
    ["sends another error text", code("# Failed to generate code for a.py"), "a.py", "PLACEHOLDER"],
    ["sends an error text as a document", "# Error: Code generation failed for a.md", "a.md", "PLACEHOLDER"],
    ["leaves all for later", code("# TODO: implement"), "a.py", "PLACEHOLDER"],
    ["sends dots", code("..."), "a.py", "PLACEHOLDER"],
    ["leaves bodies for later", code("import os\n\ndef f(x):\n    # your code here\n    pass"), "a.py", "PLACEHOLDER"],
    ["leaves bodies of dots", code('def f(x):\n    """Adds."""\n    ...'), "a.py", "PLACEHOLDER"],
    ["leaves bodies to others", code("def f(x):\n    raise NotImplementedError"), "a.py", "PLACEHOLDER"],
    ["leaves a script for later", `${F}js\nfunction f() {\n  // TODO: implement this\n}\n${F}`, "a.js", "PLACEHOLDER"],
    ["declines in words", "I'm sorry, but I can't help with that.", "a.py", "MODEL_REFUSED"],
    ["declines in a document", "I cannot write this file.", "a.md", "MODEL_REFUSED"],
    ["declines", { pieces: ["No."], finishReason: "refusal" } as const, "a.py", "MODEL_REFUSED"],
    ["is cut", { pieces: [code("x = 1")], finishReason: "length" } as const, "a.py", "REPLY_CUT"],
    ["is filtered", { pieces: ["x"], finishReason: "filter" } as const, "a.py", "REPLY_CUT"],
    ["writes a script", `${F}javascript\nlet a = 1;\n${F}`, "a.py", "WRONG_LANGUAGE"],
    ["writes a script without saying so", 'import a from "a";\nconst b = 1;\n', "a.py", "WRONG_LANGUAGE"],
    ["writes Python", `${F}\ndef f():\n    return 1\n\ndef g():\n    return 2\n${F}`, "a.ts", "WRONG_LANGUAGE"],
    ["writes words", "Of course.", "a.json", "WRONG_LANGUAGE"],
    ["writes a page", "<!DOCTYPE html><p>502</p>", "a.py", "WRONG_LANGUAGE"],
    ["writes without end", { pieces: ["x".repeat(600_000), "y".repeat(600_000)] }, "a.py", "REPLY_TOO_LONG"],
    ["fails", unavailable(), "a.py", "MODEL_SERVER"],
    ["breaks", new Error("broken"), "a.py", "MODEL_FAILED"],
  ])("that %s", async (_, manner, path, failure) => {
    const good = path.endsWith(".md")
      ? "# A title"
      : path.endsWith(".json")
        ? "{}"
        : path.endsWith(".py")
          ? "x = 1"
          : "let x = 1;";
    const models = [scriptedModel("A", manner), scriptedModel("B", good)];
    const work = scriptedWork({ models, arbiter: scriptedModel("J", "1") });

    const generated = await generate(work, path);

    expect(codes(generated)).toEqual([failure, null]);
    expect(generated).toMatchObject({ kind: "text", model: "B", telemetry: { arbiter: { used: false } } });
    expect(work.events).toContainEqual(
      expect.objectContaining({
        type: "candidate-ended",
        candidate: 0,
        end: expect.objectContaining({ kind: "failed", code: failure }),
      }),
    );
  });

  test.each([
    ["an error class", "# Errors of the service.\nclass ServiceError(Exception):\n    pass", "errors.py"],
    ["an error class of a todo app", "# Errors of the todo app.\nclass TodoError(Exception):\n    pass", "errors.py"],
    ["a package of todos", "# Todo package", "todo/__init__.py"],
    ["classes of exceptions", "class A(Exception):\n    ...\n\nclass B(A):\n    ...", "errors.py"],
    ["a protocol", "from typing import Protocol\n\nclass A(Protocol):\n    def f(self) -> int:\n        ...", "a.py"],
    ["a stub file", "def f(x: int) -> int:\n    ...", "a.pyi"],
    ["a module that passes on", "# TODO: sort\nfrom .a import b\nfrom .c import d", "pkg/__init__.py"],
    ["a program with a TODO", "def f(x):\n    # TODO: faster\n    return x + 1", "a.py"],
    ["a title that speaks of errors", "# Error handling\n\nErrors are typed.", "errors.md"],
    ["a script in a page", "<script>\nconst a = 1;\nconst b = 2;\n</script>", "a.vue"],
    ["data that name an error", "error: none\nerrors: 2", "a.yaml"],
  ])("but %s is none of that", async (_, text, path) => {
    const generated = await generate(scriptedWork({ models: [scriptedModel("A", text)] }), path);

    expect(textOf(generated)).toBe(text);
  });
});

import { describe, expect, test } from "vitest";

import { messageText } from "../../../../src/model/index.js";
import type { FileRequest } from "../../../../src/write-code/call/file-request.js";
import { gatherContext, readTask } from "../../../../src/write-code/generation/gather-context.js";
import { fileMessages, NO_TASK, type PromptOptions } from "../../../../src/write-code/generation/prompt.js";
import type { LogEntry, PromptContext } from "../../../../src/write-code/generation/prompt-context.js";
import { estimateTokens, fenced, fitText } from "../../../../src/write-code/generation/prompt-text.js";
import { fileRequest, writingFiles } from "../../../write-code/scripted-writing.js";

const NOTHING: PromptContext = { task: null, siblings: [], present: null, related: [], log: [] };

const prompt = (request: FileRequest, context: Partial<PromptContext> = {}, options: Partial<PromptOptions> = {}) => {
  const messages = fileMessages(request, { ...NOTHING, ...context }, { strike: (text) => text, ...options });
  return { messages, system: messageText(messages[0]!), user: messageText(messages[1]!) };
};

const entry = (path: string, more: Partial<LogEntry> = {}): LogEntry => ({
  path,
  timestamp: "2026-01-02 03:04:05",
  operation: "create",
  description: "Adds numbers.",
  text: "x = 1\n",
  ...more,
});

describe("the prompt of a file", () => {
  test("has two messages, and its sections in order, with a line where one is empty (W55)", () => {
    const { messages, system, user } = prompt(fileRequest("a.py", { description: "Adds two numbers." }));

    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(system).toContain("one fenced block");
    expect(user.match(/^## .*$/gm)).toEqual([
      "## Overall Task Objective",
      "## Target File",
      "## Code Description",
      "## File Creation Log",
      "## Required External Imports",
      "## Required Internal Imports",
      "## Existing Codebase Context",
      "## Research Notes",
    ]);
    expect(user).toContain("Adds two numbers.");
    for (const line of [
      NO_TASK,
      "No files have been created yet.",
      "No external imports are required.",
      "No internal imports are required.",
      "No existing code is relevant to this file.",
      "No research notes are available.",
    ]) {
      expect(user).toContain(line);
    }
    expect(user).toMatch(/Now write the complete content of a\.py\..*$/);
  });

  test("has what there is in the sections (W55)", () => {
    const request = fileRequest("a.py", { externalImports: ["numpy"], internalImports: ["pkg.b"] });

    const { user } = prompt(request, {
      task: "A calculator.",
      present: "old = 1\n",
      related: [{ path: "pkg/b.py", text: "def b(): ...\n" }],
      log: [entry("c.py")],
    });

    expect(user).toContain("## Overall Task Objective\nA calculator.");
    expect(user).toContain("## Required External Imports\n- numpy");
    expect(user).toContain("## Required Internal Imports\n- pkg.b");
    expect(user).toContain("old = 1");
    expect(user).toContain("### Imported: pkg/b.py\n```python\ndef b(): ...\n```");
    expect(user).toContain("- 2026-01-02 03:04:05 create c.py: Adds numbers.");
  });

  test("names the file with its whole path, as the root sees it (W56)", () => {
    expect(prompt(fileRequest("pkg/a/__init__.py")).user).toContain("## Target File\npkg/a/__init__.py\n");
    expect(prompt(fileRequest("site/pkg/a.py"), {}, { root: "site" }).user).toContain("## Target File\npkg/a.py\n");
  });

  test("lists the other files of the batch with descriptions and imports (W57)", () => {
    const sibling = fileRequest("pkg/b.py", {
      description: "Parses a line.",
      externalImports: ["re"],
      internalImports: ["pkg.c"],
    });

    const { user } = prompt(fileRequest("a.py"), {
      siblings: [
        { request: sibling, text: "def parse(line): ...\n" },
        { request: fileRequest("logo.png", { kind: "image" }), text: null },
      ],
    });

    expect(user).toContain("- pkg/b.py: Parses a line.\n  It imports: re, pkg.c");
    expect(user).toContain("- logo.png (an image): ");
    expect(user).toContain("def parse(line): ...");
  });

  test("has the newest of a long log, cut, and no base64 (W58)", () => {
    const data = "QUJD".repeat(5000);
    const log = Array.from({ length: 2000 }, (_, index) =>
      entry(`f${String(index)}.py`, { text: `data = "${data}"\n${"y = 2\n".repeat(2000)}` }),
    );

    const { user } = prompt(fileRequest("a.py"), { log });

    expect(user).toContain("create f0.py");
    expect(user).not.toContain("create f1999.py");
    expect(user).toMatch(/\d+ older entries were left out\./);
    expect(user).not.toContain("QUJDQUJDQUJD");
    expect(user).toContain("[base64 left out: 20000 characters]");
    expect(estimateTokens(user)).toBeLessThan(24_000);
    expect(user.indexOf("create f0.py")).toBeLessThan(user.indexOf("create f1.py"));
  });

  test.each([2000, 6000, 24_000])("keeps within %d tokens, and names what it leaves out", (promptTokens) => {
    const long = "Some words of a text. \n".repeat(50_000);

    const { messages, user } = prompt(
      fileRequest("a.py", { description: long, internalImports: Array.from({ length: 200 }, () => "x".repeat(900)) }),
      {
        task: long,
        present: long,
        siblings: [{ request: fileRequest("s.py", { description: long }), text: long }],
        related: Array.from({ length: 12 }, (_, index) => ({ path: `r${String(index)}.py`, text: long })),
        log: [entry("l.py", { text: long })],
      },
      { promptTokens },
    );

    expect(messages.reduce((sum, message) => sum + estimateTokens(messageText(message)), 0)).toBeLessThan(promptTokens);
    expect(user).toMatch(/characters left out/);
    expect(user).toMatch(/Left out for want of room: .*r11\.py/);
  });

  test("holds no secret, wherever one was, and no half of one (W90)", () => {
    const secret = "sk-live-0123456789abcdef";
    const strike = (text: string): string => text.replaceAll(secret, "[secret]");
    const long = `${"# words\n".repeat(400)}KEY = "${secret}"\n`.repeat(60);

    for (const promptTokens of [3000, 3001, 3002, 3003, 3004, 3005, 8000]) {
      const { user } = prompt(
        fileRequest("a.py", {
          description: `Uses ${secret}. ${long}`,
          externalImports: [secret],
          internalImports: [secret],
        }),
        {
          task: long,
          present: long,
          siblings: [{ request: fileRequest("s.py", { description: `${"w ".repeat(395)}${secret}` }), text: long }],
          related: [{ path: `${secret}.py`, text: long }],
          log: [entry("l.py", { text: `${"z".repeat(1190)}${secret}`, description: long })],
        },
        { promptTokens, strike },
      );

      expect(user).not.toMatch(/sk-live-?0?/);
      expect(user).toContain("[secret]");
    }
  });

  test("quotes a file in a fence that nothing in it closes", () => {
    expect(fenced("a\n````\nb", "md")).toBe("`````md\na\n````\nb\n`````");
  });

  test("cuts a text between characters, and never within one", () => {
    const { text, isCut } = fitText("😀".repeat(1000), 200);

    expect(isCut).toBe(true);
    expect(text.isWellFormed()).toBe(true);
    expect(estimateTokens(text)).toBeLessThanOrEqual(200);
  });
});

describe("what a model reads of the work around a file", () => {
  const sources = (files: Readonly<Record<string, string | Uint8Array>>, batch: readonly FileRequest[] = []) => ({
    files: writingFiles(files),
    batch,
    generated: new Map<string, string>(),
    task: null,
    log: [],
  });

  test("is the option's task, else a document of the workspace, else nothing (W59)", async () => {
    const files = writingFiles({ "logs/task.txt": "From the logs.", "task.txt": "From the file." });

    expect(await readTask(files, { task: "Mine." })).toBe("Mine.");
    expect(await readTask(files, { task: "  " })).toBe("From the logs.");
    expect(await readTask(writingFiles({ "logs/task.txt": "\n", "task.txt": "From the file." }))).toBe(
      "From the file.",
    );
    expect(await readTask(writingFiles({ "site/task.txt": "Of the site." }), { root: "site" })).toBe("Of the site.");
    expect(await readTask(writingFiles({ "task.txt": "NOT YET CREATED" }))).toBeNull();
    expect(prompt(fileRequest("a.py")).user).toContain("No overall task description provided");
  });

  test("is the file as it is, and the files that its imports name", async () => {
    const request = fileRequest("pkg/a.py", { internalImports: ["pkg.b", "./util", "os"] });

    const context = await gatherContext(
      request,
      sources({ "pkg/a.py": "old", "pkg/b.py": "b", "pkg/util.py": "u", "other.py": "o" }, [request]),
    );

    expect(context.present).toBe("old");
    expect(context.related).toEqual([
      { path: "pkg/b.py", text: "b" },
      { path: "pkg/util.py", text: "u" },
    ]);
  });

  test("is what the batch says of its other files, with the texts of those that it imports (W57)", async () => {
    const a = fileRequest("a.py", { internalImports: ["b"] });
    const batch = [a, fileRequest("b.py"), fileRequest("c.py")];

    const context = await gatherContext(a, {
      ...sources({ "b.py": "as it was" }, batch),
      generated: new Map([
        ["b.py", "as it will be"],
        ["c.py", "c"],
      ]),
    });

    expect(context.siblings.map(({ request, text }) => [request.path, text])).toEqual([
      ["b.py", "as it will be"],
      ["c.py", null],
    ]);
    expect(context.related).toEqual([]);
  });

  test("is not what is too large, or no text", async () => {
    const request = fileRequest("a.py", { internalImports: ["b", "c"] });
    const files = { "b.py": "x".repeat(500_000), "c.py": new Uint8Array([1, 0, 255]) };

    const { related } = await gatherContext(request, sources(files, [request]));

    expect(related.map(({ text }) => text)).toEqual([
      "(500000 bytes: too large to be shown)",
      "(3 bytes that are no text)",
    ]);
  });
});

import axe from "axe-core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import type { CellEditor, CellEditorOptions } from "../../../src/ui/widget/cell-runtime.js";
import { openEditor } from "../../../src/ui/widget/editor/index.js";
import { untilShown } from "../../timeouts.mjs";

afterEach(async () => {
  document.body.replaceChildren();
  document.documentElement.removeAttribute("dir");
  document.documentElement.style.colorScheme = "";
  await page.viewport(900, 700);
});

interface Opened {
  readonly editor: CellEditor;
  readonly root: ShadowRoot;
  readonly heard: string[];
  /** What has the role of a text box. */
  readonly content: HTMLElement;
  /** The lines, as they are shown. */
  readonly lines: () => string[];
}

/** A cell, as far as an editor knows it: a place in a shadow tree, and below it a button. */
function open(options: Partial<CellEditorOptions> = {}): Opened {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const place = document.createElement("div");
  const run = document.createElement("button");
  run.textContent = "Run";
  root.append(place, run);
  document.body.append(host);
  const heard: string[] = [];
  const note = (what: string) => (): void => {
    heard.push(what);
  };
  const editor = openEditor({
    code: "a = 1",
    label: "Code of cell 3",
    readonly: false,
    root,
    onChange: note("change"),
    onRun: note("run"),
    onLeave: () => {
      heard.push("leave");
      run.focus();
    },
    complete: () => Promise.resolve(null),
    ...options,
  });
  place.append(editor.element);
  const content = editor.element.querySelector<HTMLElement>("[role=textbox], [role=group]");
  if (content === null) throw new Error("The editor has a text box.");
  return {
    editor,
    root,
    heard,
    content,
    lines: () => [...editor.element.querySelectorAll(".cm-line")].map(({ textContent }) => textContent),
  };
}

test("what is typed is its code, undone and redone, with brackets that close themselves", async () => {
  const { editor, heard } = open({ code: "" });
  editor.focus();

  await userEvent.keyboard("print((1");

  expect(editor.code).toBe("print((1))");
  expect(heard.every((what) => what === "change")).toBe(true);
  expect(heard.length).toBeGreaterThan(0);
  await userEvent.keyboard("{Control>}z{/Control}");
  expect(editor.code).not.toBe("print((1))");
  await userEvent.keyboard("{Control>}y{/Control}");
  expect(editor.code).toBe("print((1))");
});

test("the cell may set other code, which is not told as a change of the reader's", () => {
  const { editor, heard, lines } = open();

  editor.code = "b = 2\nc = 3";

  expect(editor.code).toBe("b = 2\nc = 3");
  expect(lines()).toEqual(["b = 2", "c = 3"]);
  expect(heard).toEqual([]);
});

test("Mod-Enter runs and changes nothing, and a new line is indented as Python wants it", async () => {
  const { editor, heard } = open({ code: "" });
  editor.focus();

  await userEvent.keyboard("if x:{Enter}y");
  heard.length = 0;
  await userEvent.keyboard("{Control>}{Enter}{/Control}");

  expect(editor.code).toBe("if x:\n    y");
  expect(heard).toEqual(["run"]);
});

test("Tab indents, Shift-Tab takes it back, and Escape leads out", async () => {
  const { editor, heard, root } = open();
  editor.focus();
  await userEvent.keyboard("{Home}{Tab}");
  expect(editor.code).toBe("    a = 1");
  await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
  expect(editor.code).toBe("a = 1");
  await userEvent.keyboard("{Control>}a{/Control}{Tab}");
  expect(editor.code).toBe("    a = 1");
  heard.length = 0;

  await userEvent.keyboard("{Escape}");

  expect(heard).toEqual(["leave"]);
  expect(root.activeElement?.textContent).toBe("Run");
});

test("where the cell does not take the focus, Tab after Escape goes on", async () => {
  const { editor, root } = open({ onLeave: () => undefined });
  editor.focus();

  await userEvent.keyboard("{Escape}{Tab}");

  expect(editor.code).toBe("a = 1");
  expect(root.activeElement?.textContent).toBe("Run");
});

test("keys that are typed are not heard by the page, which may have its own for them; those of the browser are", async () => {
  const keys: string[] = [];
  const listen = ({ key }: KeyboardEvent): void => {
    keys.push(key);
  };
  document.addEventListener("keydown", listen);
  const { editor } = open({ code: "" });
  editor.focus();

  await userEvent.keyboard("s/{Escape}");
  editor.focus();
  await userEvent.keyboard("{Control>}k{/Control}");

  document.removeEventListener("keydown", listen);
  expect(editor.code).toBe("s/");
  expect(keys).not.toContain("s");
  expect(keys).not.toContain("/");
  expect(keys).toContain("k");
});

test("screen readers hear what it is, and how to leave it", () => {
  const { content, root } = open();

  const help = root.getElementById(content.getAttribute("aria-describedby") ?? "");

  expect(content.getAttribute("aria-label")).toBe("Code of cell 3");
  expect(help?.textContent).toBe("Press Escape and then Tab to leave.");
});

test("names are completed, Tab takes the first, and Escape closes the list without leaving", async () => {
  const asked: string[] = [];
  const { editor, heard, root } = open({
    code: "orders.",
    complete: (code) => {
      asked.push(code);
      return Promise.resolve({ from: 7, options: [{ label: "where", kind: "function", detail: "method" }] });
    },
  });
  editor.focus();
  await userEvent.keyboard("{End}wh");
  await vi.waitFor(
    () => expect(root.querySelector(".cm-tooltip-autocomplete")?.textContent).toContain("where"),
    untilShown,
  );
  expect(asked[0]).toMatch(/^orders\.w/);

  await userEvent.keyboard("{Escape}");
  expect(root.querySelector(".cm-tooltip-autocomplete")).toBeNull();
  expect(heard).not.toContain("leave");

  await userEvent.keyboard("{Control>} {/Control}");
  await vi.waitFor(() => expect(root.querySelector("li[aria-selected]")).not.toBeNull(), untilShown);
  // In the instant after it opened the list takes no key.
  await vi.waitFor(async () => {
    await userEvent.keyboard("{Tab}");
    expect(editor.code).toBe("orders.where");
  }, untilShown);
});

describe("a fault", () => {
  const code = "a = 1\nb = a / 0\nc = 2";
  const fault = { line: 2, message: "ZeroDivisionError: division by zero" };

  function marked({ editor }: Opened): string[] {
    return [...editor.element.querySelectorAll(".cm-fault-line, .cm-fault")].map(({ textContent }) => textContent);
  }

  test("is marked where it is and said below, until another is shown or none", () => {
    const opened = open({ code });

    opened.editor.showFault(fault);
    expect(marked(opened)).toEqual(["b = a / 0", fault.message]);
    expect(opened.editor.code).toBe(code);

    opened.editor.showFault({ line: 3, message: "NameError" });
    expect(marked(opened)).toEqual(["c = 2", "NameError"]);
    opened.editor.showFault({ line: 99, message: "beyond the end" });
    expect(marked(opened)).toEqual(["c = 2", "beyond the end"]);
    opened.editor.showFault(null);
    expect(marked(opened)).toEqual([]);
  });

  test("stays with its line while others are edited, and goes when the line is", async () => {
    const opened = open({ code });
    opened.editor.showFault(fault);
    opened.editor.focus();

    await userEvent.keyboard("{Control>}{Home}{/Control}x{Enter}");
    expect(marked(opened)).toEqual(["b = a / 0", fault.message]);

    await userEvent.keyboard("{End}1");
    expect(opened.editor.code).toBe("x\na = 11\nb = a / 0\nc = 2");
    expect(marked(opened)).toEqual(["b = a / 0", fault.message]);
    await userEvent.keyboard("{ArrowDown}{End}1");
    expect(marked(opened)).toEqual([]);
  });
});

test("code that is only read can be selected and copied, not changed, and Tab goes through it", async () => {
  const { editor, heard, root, content } = open({ readonly: true });
  editor.focus();

  await userEvent.keyboard("x{Backspace}{Enter}");
  expect(editor.code).toBe("a = 1");
  expect(content.getAttribute("aria-readonly")).toBe("true");
  await userEvent.keyboard("{Control>}a{/Control}{Control>}{Enter}{/Control}");
  expect(heard).toEqual(["run"]);

  await userEvent.keyboard("{Tab}");
  expect(root.activeElement?.textContent).toBe("Run");
});

describe("looks", () => {
  const code = `def f(x):  # a comment\n    return "text" + str(42)\n\n${"long_name_of_a_variable = ".repeat(8)}None`;

  /** The same code as a cell shows it at first. */
  function asShown(root: ShadowRoot): HTMLElement {
    const pre = document.createElement("pre");
    pre.style.cssText =
      "margin: 0; padding: 10px 18px; font: 14px / 22px monospace; tab-size: 4; overflow: auto; box-sizing: border-box";
    pre.textContent = code;
    root.prepend(pre);
    return pre;
  }

  /** Where each of these words is, against the box. */
  function placesOf(box: HTMLElement): number[][] {
    const { left, top } = box.getBoundingClientRect();
    return ["def", "return", "None"].map((word) => {
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      while (texts.nextNode() !== null) {
        const at = texts.currentNode.nodeValue?.indexOf(word) ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + word.length);
        const rect = range.getBoundingClientRect();
        return [rect.left - left, rect.top - top].map((pixels) => Math.round(pixels * 10) / 10);
      }
      return [];
    });
  }

  test.each(["ltr", "rtl"])(
    "the code lies where it lay in the page, and scrolls by itself, in a page of %s",
    async (dir) => {
      document.documentElement.dir = dir;
      await page.viewport(360, 700);
      const { editor, root } = open({ code });
      const styles =
        "--cell-font: monospace; --cell-font-size: 14px; --cell-line-height: 22px; --cell-padding: 10px 18px";
      editor.element.parentElement?.setAttribute("style", styles);
      const pre = asShown(root);
      pre.dir = "ltr";

      await vi.waitFor(() => expect(placesOf(editor.element)).toEqual(placesOf(pre)), untilShown);
      const scroller = editor.element.querySelector(".cm-scroller");
      expect(scroller?.clientHeight).toBe(pre.clientHeight);
      expect(scroller?.scrollWidth).toBe(pre.scrollWidth);
      expect(document.documentElement.scrollWidth).toBe(360);
    },
  );

  test("it grows with its code", async () => {
    const { editor } = open({ code: "" });
    const before = editor.element.getBoundingClientRect().height;
    editor.focus();

    await userEvent.keyboard("1{Enter}2{Enter}3");

    await vi.waitFor(
      () => expect(editor.element.getBoundingClientRect().height).toBeGreaterThan(2 * before - 24),
      untilShown,
    );
  });

  test("its colours are custom properties, with those of the design for light and dark", () => {
    const { editor, root } = open({ code });
    const colourOf = (word: string): string | undefined => {
      const found = [...editor.element.querySelectorAll(".cm-line span")].find(
        ({ textContent }) => textContent === word,
      );
      return found === undefined ? undefined : getComputedStyle(found).color;
    };
    expect([colourOf("def"), colourOf('"text"'), colourOf("42"), colourOf("str")]).toEqual([
      "rgb(123, 45, 139)",
      "rgb(47, 107, 47)",
      "rgb(154, 74, 0)",
      "rgb(31, 95, 168)",
    ]);
    document.documentElement.style.colorScheme = "dark";
    expect(colourOf("def")).toBe("rgb(209, 155, 224)");

    const host = root.host as HTMLElement;
    host.style.setProperty("--vitrine-keyword", "rgb(1, 2, 3)");
    host.style.setProperty("--vitrine-comment", "rgb(4, 5, 6)");
    expect([colourOf("def"), colourOf("# a comment")]).toEqual(["rgb(1, 2, 3)", "rgb(4, 5, 6)"]);
  });

  test.each(["light", "dark"])("axe finds nothing, %s", async (scheme) => {
    document.documentElement.style.colorScheme = scheme;
    document.body.style.background = scheme === "dark" ? "#101214" : "#fff";
    const { editor } = open({ code });
    editor.showFault({ line: 2, message: "TypeError: can only concatenate str" });
    open({ code: "x".repeat(6000) });

    const { violations } = await axe.run(document.body, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"],
      rules: {
        region: { enabled: false },
        "page-has-heading-one": { enabled: false },
        "landmark-one-main": { enabled: false },
      },
    });

    document.body.style.background = "";
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`).join("\n")).toBe("");
  });
});

describe("very large code", () => {
  const mixed = "aé漢ש🙂".repeat(80_000);

  test.each([
    ["one line of 480,000 characters", mixed, "480,000 characters"],
    ["one line that is long for an editor", mixed.slice(0, 6000), "6,000 characters in one line"],
    ["very many lines", "a = 1\n".repeat(50_000), "300,000 characters"],
  ])("%s is shown in part and not edited, with a sentence that says so, and can be run", async (_name, code, much) => {
    const { editor, content, heard } = open({ code });

    expect(editor.code).toBe(code);
    expect(editor.element.textContent).toContain(
      `This code cannot be edited here: it has ${much}. It can be run as it is.`,
    );
    expect(content.textContent.length).toBeLessThan(25_000);
    editor.focus();
    await userEvent.keyboard("{Control>}{Enter}{/Control}{Escape}");
    expect(heard).toEqual(["run", "leave"]);
    editor.showFault({ line: 2, message: "SyntaxError: invalid syntax." });
    expect(editor.element.textContent).toContain("Line 2: SyntaxError: invalid syntax. This code");
    editor.showFault(null);
    expect(editor.element.textContent).not.toContain("Line 2");

    editor.code = "b = 2";
    expect(editor.element.querySelector(".cm-line")?.textContent).toBe("b = 2");
    expect(editor.code).toBe("b = 2");
    editor.code = code;
    expect(editor.element.querySelector(".cm-editor")).toBeNull();
  });

  test("is not inserted, which is said until the next change", async () => {
    const { editor, content, heard } = open();
    editor.focus();

    const clipboard = new DataTransfer();
    clipboard.setData("text/plain", mixed);
    content.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));

    expect(editor.code).toBe("a = 1");
    expect(heard).toEqual([]);
    expect(editor.element.querySelector("[role=status]")?.textContent).toBe(
      "Not inserted: the code would have 480,005 characters, which is more than can be edited here.",
    );
    await userEvent.keyboard("x");
    expect(editor.element.querySelector("[role=status]")?.textContent).toBe("");
  });

  test("of long lines is edited up to a bound, and a line does not grow beyond it", async () => {
    const line = mixed.slice(0, 4998);
    const { editor } = open({ code: `${line}\nb` });
    editor.focus();

    await userEvent.keyboard("{Control>}{End}{/Control}{Home}{Backspace}xyz");

    // Joined with the line before it, which then has room for one letter more.
    expect(editor.code).toBe(`${line}xb`);
    expect(editor.element.textContent).toContain("5,001 characters in one line");
  });
});

test("when it is closed nothing of it is left in the page", () => {
  const { editor, root } = open();
  editor.close();
  expect(root.querySelector(".cell-editor, .cm-editor")).toBeNull();
});

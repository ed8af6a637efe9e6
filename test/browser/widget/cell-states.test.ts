import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";

import { defineCell } from "../../../src/ui/widget/cell/define-cell.js";
import { PartLoadError } from "../../../src/ui/widget/shared/parts.js";
import {
  cellIn,
  drawn,
  messagesOf,
  partOf,
  partsOf,
  show,
  showCell,
  statusOf,
  until,
  VitrineCell,
} from "./cell-page.js";
import { outcome, untilStopped, useScriptedParts, type ScriptedParts } from "./scripted-parts.js";

let scripted: ScriptedParts;

beforeEach(() => {
  scripted = useScriptedParts();
});

afterEach(() => {
  document.body.replaceChildren();
});

const active = (cell: VitrineCell): Element | null => cell.shadowRoot?.activeElement ?? null;
function codeIn(cell: VitrineCell): HTMLPreElement {
  const pre = cell.querySelector("pre");
  if (pre === null) throw new Error("The cell has no code.");
  return pre;
}

const isShown = (element: Element | null): boolean => (element?.getClientRects().length ?? 0) > 0;

test("a run takes the place of the author's result, and Reset gives it back", async () => {
  const cell = await showCell("<vitrine-cell><pre>print(1)</pre><output>1</output></vitrine-cell>");
  expect(partsOf(cell, "bar")).toEqual([]);
  expect(isShown(cell.querySelector("output"))).toBe(true);

  partOf(cell, "run").click();
  await until(() => expect(statusOf(cell)).toBe("Done in 0.3 s."));

  expect(partOf(cell, "output").textContent).toBe("ran print(1)\n");
  expect(isShown(cell.querySelector("output"))).toBe(false);

  partOf(cell, "reset").click();
  expect(partsOf(cell, "output")).toEqual([]);
  expect(isShown(cell.querySelector("output"))).toBe(true);
});

test("while code runs Run is Stop, with the focus on it; what was printed stays", async () => {
  const cell = await showCell("<vitrine-cell><pre>while True: pass</pre></vitrine-cell>");
  scripted.scripted.script = (request) => {
    request.onOutput({ kind: "stdout", text: "on my way\n" });
    return untilStopped(request);
  };
  const run = partOf(cell, "run");
  run.focus();
  await userEvent.keyboard("{Enter}");
  await until(() => expect(statusOf(cell)).toContain("Running"));

  expect(partOf(cell, "stop").textContent).toBe("Stop");
  expect(active(cell)).toBe(partOf(cell, "stop"));
  const going = cell.run();
  await userEvent.keyboard("{Enter}");

  expect((await going)?.result.error?.code).toBe("RUN_INTERRUPTED");
  await until(() => expect(statusOf(cell)).toBe("Stopped after 0.3 s."));
  expect(partOf(cell, "output").textContent).toContain("on my way");
  expect(active(cell)).toBe(partOf(cell, "run"));
  expect(scripted.scripted.requests).toHaveLength(1);
});

test.each(["vitrine-run", "vitrine-error"])("a run that is begun when %s is heard can be stopped", async (type) => {
  const cell = await showCell("<vitrine-cell><pre>1</pre></vitrine-cell>");
  if (type === "vitrine-error") scripted.scripted.script = () => Promise.reject(new Error("Not there."));
  let second: Promise<unknown> | undefined;
  const again = (): void => {
    scripted.scripted.script = untilStopped;
    second = cell.run();
  };
  cell.addEventListener(type, again, { once: true });
  await cell.run();
  await drawn();

  partOf(cell, "stop").click();

  expect(await second).toMatchObject({ result: { error: { code: "RUN_INTERRUPTED" } } });
  expect(partOf(cell, "run").textContent).toBe("Run");
});

test("a double click on Run stops nothing", async () => {
  const cell = await showCell("<vitrine-cell><pre>1</pre></vitrine-cell>");
  scripted.scripted.script = untilStopped;

  await userEvent.dblClick(partOf(cell, "run"));

  await until(() => expect(statusOf(cell)).toContain("Running"));
  expect(scripted.scripted.requests[0]?.signal.aborted).toBe(false);
});

test("everything that a run waits for is said, with the bytes of what is loaded", async () => {
  const cell = await showCell("<vitrine-cell><pre>1</pre></vitrine-cell>");
  scripted.scripted.script = (request) => {
    request.onPhase({ kind: "loading-python", loaded: 3_900_000, total: 6_300_000 });
    return new Promise(() => undefined);
  };

  void cell.run();

  expect(statusOf(cell)).toBe("Loading Vitrine");
  await until(() => expect(statusOf(cell)).toBe("Loading Python, 3.9 of 6.3 MB"));
  const progress = partOf(cell, "progress");
  expect(progress.getBoundingClientRect().height).toBe(2);
  expect(progress.getAttribute("aria-valuenow")).toBe("62");
  // Read out are the words without the bytes, which change many times a second.
  expect(cell.shadowRoot?.querySelector("[role=status]")?.textContent).toBe("Loading Python");
});

test("an error is named with its line, and the editor marks that", async () => {
  const cell = await showCell("<vitrine-cell><pre>1\nnope</pre></vitrine-cell>");
  partOf(cell, "edit").click();
  await until(() => expect(scripted.editors).toHaveLength(1));
  scripted.scripted.script = () => {
    const error = { code: "PYTHON_ERROR", pythonType: "NameError", message: "name 'nope' is not defined" };
    return Promise.resolve(outcome({ error, faultLine: 2 }));
  };

  await cell.run();

  expect(statusOf(cell)).toBe("Failed after 0.3 s: NameError in line 2.");
  expect(scripted.editors[0]?.fault).toEqual({ line: 2, message: "NameError: name 'nope' is not defined" });
  expect(partOf(cell, "output").textContent).toBe("name 'nope' is not defined");
});

test("input() asks in the cell; the focus goes there and back", async () => {
  const cell = await showCell("<vitrine-cell><pre>input()</pre></vitrine-cell>");
  scripted.scripted.script = async ({ onInput, signal }) => {
    const answer = await onInput("What is <b>your</b> name? ", { signal });
    return outcome({ text: answer });
  };
  partOf(cell, "run").focus();
  const run = cell.run();
  await until(() => expect(statusOf(cell)).toBe("Waiting for your input"));
  expect(cell.shadowRoot?.querySelector("label")?.textContent).toBe("What is <b>your</b> name? ");
  expect(active(cell)).toBeInstanceOf(HTMLInputElement);

  await userEvent.keyboard("Ada{Enter}");

  expect((await run)?.text).toBe("Ada");
  expect(active(cell)).toBe(partOf(cell, "run"));
  expect(partsOf(cell, "input")).toEqual([]);
});

test("keys that are typed into an answer are kept from the page, and Enter sends it", async () => {
  const cell = await showCell("<vitrine-cell><pre>input()</pre></vitrine-cell>");
  scripted.scripted.script = async ({ onInput, signal }) => outcome({ text: await onInput("Path? ", { signal }) });
  const keys: string[] = [];
  const listen = ({ type, key, ctrlKey }: KeyboardEvent): void => {
    // Shortcuts are the page's, as they are in its own fields.
    if (key !== "Control" && !ctrlKey) keys.push(`${type} ${key}`);
  };
  const types = ["keydown", "keypress", "keyup"] as const;
  for (const type of types) document.addEventListener(type, listen);
  partOf(cell, "run").focus();
  const run = cell.run();
  await until(() => expect(partsOf(cell, "input")).toHaveLength(1));

  await userEvent.keyboard("s/a");
  expect(keys).toEqual([]);
  await userEvent.keyboard("{Enter}");

  expect((await run)?.text).toBe("s/a");
  for (const type of types) document.removeEventListener(type, listen);
});

test("a run that no click began takes no focus from the page", async () => {
  const cell = await showCell("<vitrine-cell><pre>input()</pre></vitrine-cell>");
  scripted.scripted.script = async ({ onInput, signal }) => outcome({ text: await onInput("", { signal }) });
  void cell.run();
  await until(() => expect(partsOf(cell, "input")).toHaveLength(1));
  expect(document.activeElement).toBe(document.body);

  cell.stop();
  await until(() => expect(partsOf(cell, "run")).toHaveLength(1));
  // As in browsers where a click on a button gives it no focus.
  partOf(cell, "run").click();
  await until(() => expect(active(cell)).toBeInstanceOf(HTMLInputElement));
  cell.stop();
});

test("a question ends with the run that asked it", async () => {
  const cell = await showCell("<vitrine-cell><pre>input()</pre></vitrine-cell>");
  scripted.scripted.script = async ({ onInput, signal }) => {
    await onInput("", { signal });
    return outcome();
  };
  const run = cell.run();
  await until(() => expect(partsOf(cell, "input")).toHaveLength(1));

  cell.stop();

  expect(await run).toBeNull();
  expect(partsOf(cell, "input")).toEqual([]);
  expect(statusOf(cell)).toBe("Stopped.");
});

test("the outcomes of checks are listed in words", async () => {
  const cell = await showCell("<vitrine-cell><pre>1</pre><pre hidden slot='check'>assert 1</pre></vitrine-cell>");
  scripted.scripted.script = () =>
    Promise.resolve(
      outcome({
        checks: [
          { kind: "passed", label: "The mean is right" },
          { kind: "failed", label: "An empty list", reason: "mean([]) raised nothing" },
        ],
      }),
    );

  await cell.run();

  expect(partsOf(cell, "check").map(({ textContent }) => textContent)).toEqual([
    "✓Passed: The mean is right",
    "×Not yet: An empty list\nmean([]) raised nothing",
  ]);
  expect(statusOf(cell)).toBe("Done in 0.3 s. 1 of 2 checks passed.");
});

test("with `expected` the cell says whether the run came to the author's result, and shows it beside another", async () => {
  const cell = await showCell(
    "<vitrine-cell expected><pre>1</pre><output><pre><span class='linenos'>1</span>a\nb</pre></output></vitrine-cell>",
  );
  const author = cell.querySelector("output");
  const printing = (text: string) => async () => {
    const [request] = scripted.scripted.requests.slice(-1);
    request?.onOutput({ kind: "stdout", text });
    return Promise.resolve(outcome({ text }));
  };

  scripted.scripted.script = printing("a\nb\n");
  await cell.run();
  expect(statusOf(cell)).toBe("Done in 0.3 s. The result is as expected.");
  expect(isShown(author)).toBe(false);

  scripted.scripted.script = printing("a\nc\n");
  await cell.run();
  expect(statusOf(cell)).toBe("Done in 0.3 s. The result differs from the expected one.");
  expect(isShown(author)).toBe(true);

  scripted.scripted.script = printing("a\nb\n");
  await cell.run();
  expect(isShown(author)).toBe(false);
});

test("the code is edited in its place; Escape leaves, Reset gives the author's code back", async () => {
  const cell = await showCell("<vitrine-cell><pre>a = 1</pre></vitrine-cell>");
  const pre = cell.querySelector("pre");
  await userEvent.click(codeIn(cell), { position: { x: 5, y: 5 } });
  await until(() => expect(scripted.editors).toHaveLength(1));
  expect(isShown(pre)).toBe(false);

  await userEvent.keyboard("{Control>}a{/Control}b = 2");
  expect(cell.code).toBe("b = 2");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await until(() => expect(statusOf(cell)).toBe("Done in 0.3 s."));
  expect(scripted.scripted.requests[0]?.code).toBe("b = 2");
  await userEvent.keyboard("{Escape}");
  expect(active(cell)).toBe(partOf(cell, "run"));

  partOf(cell, "reset").click();
  expect(cell.code).toBe("a = 1");
  expect(isShown(pre)).toBe(true);
});

describe("while the editor loads", () => {
  let come: () => void;
  let cell: VitrineCell;
  beforeEach(async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    come = () => resolve(undefined);
    const open = scripted.openEditor.bind(scripted);
    scripted.openEditor = async (options) => {
      await promise;
      return open(options);
    };
    cell = await showCell("<vitrine-cell><pre>a = 1</pre></vitrine-cell>");
    partOf(cell, "edit").click();
    expect(statusOf(cell)).toBe("Loading the editor");
  });

  test("code that is set is what it opens with", async () => {
    cell.code = "a = 2";
    come();
    await until(() => expect(partsOf(cell, "editor")).toHaveLength(1));
    expect(cell.code).toBe("a = 2");
    expect(scripted.editors[0]?.code).toBe("a = 2");
  });

  test("Reset gives it up, and the next click opens one", async () => {
    cell.reset();
    partOf(cell, "edit").click();
    cell.reset();
    come();
    await drawn();
    expect(partsOf(cell, "editor")).toEqual([]);
    expect(isShown(codeIn(cell))).toBe(true);
    expect(statusOf(cell)).toBe("This is the author's code and result.");

    partOf(cell, "edit").click();
    await until(() => expect(partsOf(cell, "editor")).toHaveLength(1));
  });

  test("`readonly` gives it up", async () => {
    cell.setAttribute("readonly", "");
    come();
    await until(() => expect(statusOf(cell)).toBe("This code is not to be changed."));
    expect(partsOf(cell, "editor")).toEqual([]);
    expect(isShown(codeIn(cell))).toBe(true);
  });
});

test("a readonly cell has no editor", async () => {
  const cell = await showCell("<vitrine-cell readonly><pre>a = 1</pre></vitrine-cell>");
  await userEvent.click(codeIn(cell), { position: { x: 5, y: 5 } });
  await drawn();
  expect(partsOf(cell, "edit")).toEqual([]);
  expect(scripted.editors).toEqual([]);
});

test("Reset while code runs shows nothing of that run any more", async () => {
  const cell = await showCell("<vitrine-cell><pre>1</pre><output>author</output></vitrine-cell>");
  scripted.scripted.script = (request) => {
    request.onOutput({ kind: "stdout", text: "early" });
    return untilStopped(request);
  };
  const run = cell.run();
  await until(() => expect(partsOf(cell, "output")).toHaveLength(1));

  cell.reset();
  await run;

  expect(partsOf(cell, "output")).toEqual([]);
  expect(isShown(cell.querySelector("output"))).toBe(true);
  expect(statusOf(cell)).toBe("This is the author's code and result.");
});

test("a runtime that cannot run the code says why, and the next Run tries again", async () => {
  const cell = await showCell("<vitrine-cell><pre>1</pre></vitrine-cell>");
  const heard = vi.fn();
  document.addEventListener("vitrine-error", heard);
  const { script } = scripted.scripted;
  scripted.scripted.script = () => Promise.reject(new Error("The file a.csv is not there: HTTP 404."));

  expect(await cell.run()).toBeNull();
  expect(messagesOf(cell)).toEqual(["The file a.csv is not there: HTTP 404."]);
  expect(statusOf(cell)).toBe("The code was not run.");

  scripted.failure = new PartLoadError("The script did not load.");
  expect(await cell.run()).toBeNull();
  expect(messagesOf(cell)).toEqual(["The script did not load."]);
  expect(heard).toHaveBeenCalledTimes(2);
  document.removeEventListener("vitrine-error", heard);

  scripted.failure = null;
  scripted.scripted.script = script;
  expect(await cell.run()).not.toBeNull();
  expect(messagesOf(cell)).toEqual([]);
});

test("a cell that is taken away stops; the last of a session ends it, and one that is only moved does neither", async () => {
  const place = await show(`
    <vitrine-cell id="one" session="tour"><pre>1</pre></vitrine-cell>
    <vitrine-cell id="two" session="tour"><pre>2</pre></vitrine-cell>`);
  const one = cellIn(place, "#one");
  const two = cellIn(place, "#two");
  scripted.scripted.script = untilStopped;
  void one.run();
  await until(() => expect(scripted.scripted.requests).toHaveLength(1));
  const signal = scripted.scripted.requests[0]?.signal;

  place.append(one);
  await drawn();
  expect(signal?.aborted).toBe(false);

  one.remove();
  await until(() => expect(signal?.aborted).toBe(true));
  expect(scripted.scripted.closed).toEqual([]);

  two.remove();
  await until(() => expect(scripted.scripted.closed).toEqual(["tour"]));
});

test("a session is restarted for all its cells", async () => {
  const cell = await showCell('<vitrine-cell session="tour"><pre>1</pre></vitrine-cell>');
  await cell.run();

  partOf(cell, "restart").click();

  await until(() => expect(statusOf(cell)).toBe("Python begins afresh with the next run."));
  expect(scripted.scripted.resets).toEqual(["tour"]);
});

test("restart() says that it is done before the first run too, and lets the run of a cell alone go on", async () => {
  const place = await show(`
    <vitrine-cell id="shared" session="tour"><pre>1</pre></vitrine-cell>
    <vitrine-cell id="alone"><pre>2</pre></vitrine-cell>`);
  await cellIn(place, "#shared").restart();
  expect(statusOf(cellIn(place, "#shared"))).toBe("Python begins afresh with the next run.");

  scripted.scripted.script = untilStopped;
  const alone = cellIn(place, "#alone");
  void alone.run();
  await until(() => expect(statusOf(alone)).toContain("Running"));
  await alone.restart();
  expect(scripted.scripted.requests[0]?.signal.aborted).toBe(false);
  expect(statusOf(alone)).toContain("Running");
  alone.stop();
});

test("with `autorun` a cell runs by itself when it comes near", async () => {
  const place = await show(`
    <vitrine-cell id="near" autorun><pre>1</pre></vitrine-cell>
    <div style="height: 4000px"></div>
    <vitrine-cell id="far" autorun><pre>2</pre></vitrine-cell>`);
  const codes = (): string[] => scripted.scripted.requests.map(({ code }) => code);
  await until(() => expect(codes()).toEqual(["1"]));

  cellIn(place, "#far").scrollIntoView();

  await until(() => expect(codes()).toEqual(["1", "2"]));
});

test("events leave the cell and bubble", async () => {
  const place = await show("<vitrine-cell><pre>1</pre></vitrine-cell>");
  const texts: string[] = [];
  place.addEventListener("vitrine-run", ({ detail }) => texts.push(detail.text));

  await cellIn(place).run();

  expect(texts).toEqual(["ran 1\n"]);
});

test("the link to the demo has the code as it is now", async () => {
  const cell = await showCell('<vitrine-cell demo="https://demo.example/"><pre>print("ä")</pre></vitrine-cell>');
  await cell.run();
  const link = partOf(cell, "demo");
  expect(link.getAttribute("href")).toBe("https://demo.example/#python=cHJpbnQoIsOkIik");
});

test("another version of the widget on the page is named in the console and after a run", async () => {
  const cell = await showCell("<vitrine-cell><pre>1</pre></vitrine-cell>");
  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  defineCell(class extends VitrineCell {});
  expect(warn).not.toHaveBeenCalled();

  defineCell(
    class extends VitrineCell {
      static override readonly version = "99.0.0";
    },
  );
  await cell.run();

  const sentence = `This page loads Vitrine ${VitrineCell.version} and 99.0.0. The cells are run by ${VitrineCell.version}, which came first.`;
  expect(warn.mock.calls).toEqual([[sentence]]);
  expect(messagesOf(cell)).toEqual([sentence]);
  VitrineCell.otherVersions.clear();
  warn.mockRestore();
});

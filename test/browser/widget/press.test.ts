import { afterEach, beforeEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";

import { partOf, showCell, statusOf, until } from "./cell-page.js";
import { useScriptedParts, type ScriptedParts } from "./scripted-parts.js";

let scripted: ScriptedParts;

beforeEach(() => {
  scripted = useScriptedParts();
});

afterEach(() => {
  document.body.replaceChildren();
});

function press(on: Element, options: PointerEventInit): void {
  on.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, composed: true, ...options }));
}

test("what a run needs begins to load when Run is pressed, and not when it is hovered or has the focus", async () => {
  const cell = await showCell("<vitrine-cell><pre>print(1)</pre></vitrine-cell>");
  const run = partOf(cell, "run");
  await userEvent.hover(run);
  run.focus();
  expect(scripted.warmed).toBe(0);

  press(run, { pointerType: "mouse", button: 0 });
  expect(scripted.warmed).toBe(1);
  expect(scripted.scripted.requests).toEqual([]);

  run.click();
  await until(() => expect(statusOf(cell)).toBe("Done in 0.3 s."));
});

test("a press of the space bar does so too", async () => {
  const cell = await showCell("<vitrine-cell><pre>print(1)</pre></vitrine-cell>");
  partOf(cell, "run").focus();

  await userEvent.keyboard("[Space>]");
  expect(scripted.warmed).toBe(1);
  expect(scripted.scripted.requests).toEqual([]);

  await userEvent.keyboard("[/Space]");
  await until(() => expect(scripted.scripted.requests).toHaveLength(1));
});

test("a finger that may only be scrolling, another button and another place load nothing", async () => {
  const cell = await showCell("<vitrine-cell><pre>print(1)</pre></vitrine-cell>");
  const run = partOf(cell, "run");

  press(run, { pointerType: "touch", button: 0 });
  press(run, { pointerType: "mouse", button: 2 });
  press(partOf(cell, "copy"), { pointerType: "mouse", button: 0 });
  press(cell, { pointerType: "mouse", button: 0 });

  expect(scripted.warmed).toBe(0);
});

test("a cell that cannot run loads nothing when its Run is pressed", async () => {
  const cell = await showCell('<vitrine-cell timeout="soon"><pre>print(1)</pre></vitrine-cell>');

  press(partOf(cell, "run"), { pointerType: "mouse", button: 0 });

  expect(scripted.warmed).toBe(0);
});

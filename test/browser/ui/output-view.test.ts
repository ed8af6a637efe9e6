import { render } from "lit";
import { afterEach, expect, test } from "vitest";

import { signalSummary } from "../../../src/ui/components/answer-notes.js";
import { OutputView } from "../../../src/ui/components/output-view.js";
import { OutputLog } from "../../../src/ui/state/output-log.js";

afterEach(() => {
  document.body.replaceChildren();
});

test("a flood of outputs is drawn in part and counted, and what is drawn keeps its elements while more comes", async () => {
  const view = new OutputView();
  const output = new OutputLog();
  const flood = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) output.add({ kind: "signal", type: "explore", message: String(index) });
    view.version += 1;
    await view.updateComplete;
  };
  view.output = output;
  document.body.append(view);
  await flood(10_000);
  const drawn = [...view.querySelectorAll(".signal")];
  expect(drawn).toHaveLength(300);
  expect(view.textContent).toContain("… 9,700 earlier outputs not shown");

  await flood(1);

  const after = [...view.querySelectorAll(".signal")];
  expect(after.slice(0, -1).every((element, index) => element === drawn[index + 1])).toBe(true);
  expect(drawn[0]?.isConnected).toBe(false);
  expect(view.textContent).toContain("… 9,701 earlier outputs not shown");
});

test("a summary of very many signals draws the first ones, and counts them all", () => {
  const signals = Array.from({ length: 5000 }, () => ({ step: 1, type: "explore", message: "" }) as const);

  render(signalSummary(signals), document.body);

  expect(document.querySelector("summary")?.textContent).toBe("5,000 signals on the way");
  expect(document.querySelectorAll("li")).toHaveLength(201);
  expect(document.querySelector("li:last-child")?.textContent).toBe("4,800 more signals not shown");
});

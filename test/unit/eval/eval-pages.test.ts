import { expect, test } from "vitest";

import { EvalPages } from "../../../eval/eval-pages.js";
import type { EnginePage } from "../../engines/drivers/index.js";

const request = { task: "odd-squares", agent: "code", baseURL: "http://127.0.0.1:1/v1", model: "m", limit: 5 };
const done = { steps: 2, elapsed: 7, calls: [] };

/** Tabs that answer as told, one after the other. */
function tabs(...answers: (() => ReturnType<EnginePage["evaluate"]>)[]): { pages: EvalPages; closed: number[] } {
  const closed: number[] = [];
  let opened = 0;
  const none = (): Promise<never> => Promise.reject(new Error("This tab only evaluates."));
  const open = (): Promise<EnginePage> => {
    const id = opened++;
    return Promise.resolve({
      evaluate: () => (answers.shift() ?? none)(),
      close: () => Promise.resolve(void closed.push(id)),
      click: none,
      type: none,
      goto: none,
      back: none,
      bringToFront: none,
      screenshot: none,
    });
  };
  return { pages: new EvalPages(open, { grace: 5 }), closed };
}

test.each([
  ["crashes", () => Promise.reject(new Error("The tab crashed.")), "The tab crashed."],
  ["hangs", () => new Promise<never>(() => undefined), "The page does not answer."],
])("a page that %s took nobody knows how long, and the next task has a new one", async (_what, fault, failure) => {
  const { pages, closed } = tabs(
    () => Promise.resolve(done),
    fault,
    () => Promise.resolve(done),
  );

  const runs = [await pages.run(request), await pages.run(request), await pages.run(request)];

  expect(runs).toEqual([done, expect.objectContaining({ steps: null, elapsed: null, failure }), done]);
  expect(closed).toEqual([0]);
});

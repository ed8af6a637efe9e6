import { afterEach, beforeEach, expect, test } from "vitest";

import { memoryStorage } from "../../../src/index.js";
import { TaskCard } from "../../../src/ui/components/task/task-card.js";
import { DrawingPace } from "../../../src/ui/drawing/drawing-pace.js";
import { AppState } from "../../../src/ui/state/app-state.js";
import { TaskView } from "../../../src/ui/state/task/task-view.js";
import { ReportedTask } from "../../unit/ui/agent-events.js";

const STEPS = 20;

/** Milliseconds after which a frame has no time left to draw in. */
const A_FRAME_OF_DRAWING = 20;

let card: TaskCard;

beforeEach(() => {
  card = new TaskCard();
  card.app = new AppState({
    openStorage: memoryStorage,
    seeds: [],
    shipped: [],
    keyValueStore: () => ({ getItem: () => null, setItem: () => undefined }),
    fetchFile: (url) => Promise.reject(new Error(`The file ${url} is not there.`)),
    serverAuth: () => Promise.reject(new Error("No server asks for a login here.")),
  });
  const told = new ReportedTask("Count.");
  for (let step = 1; step <= STEPS; step++) told.step(`print(${String(step)})`);
  card.view = new TaskView({ id: "1", task: "Count.", modelLabel: "a model" });
  for (const event of told.events) card.view.apply(event);
});

afterEach(() => {
  document.body.replaceChildren();
});

/** Leaves whatever is drawn before the next turn of the page no time. */
function useUpTheFrame(): void {
  new DrawingPace().begin();
  const since = performance.now();
  while (performance.now() - since < A_FRAME_OF_DRAWING);
}

const steps = (): number => card.querySelectorAll("vitrine-app-step").length;

test("all steps are drawn, even where others have used up the first frame", async () => {
  useUpTheFrame();
  document.body.append(card);
  await card.updateComplete;
  expect(steps()).toBe(0);

  await expect.poll(steps).toBe(STEPS);
});

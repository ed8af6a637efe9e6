import { z } from "zod";

import type { EnginePage } from "../drivers/index.js";
import type { DrivenCell } from "./cell.js";
import { pixelsOf } from "./drawn-pixels.js";
import type { WidgetSite } from "./site.js";

/** A page of the site, as an engine shows it. */
export interface Visit {
  readonly page: EnginePage;
  readonly site: WidgetSite;
  readonly cell: (id: string) => DrivenCell;
}

/** What cells of the built widget do, tried by the engine's own driver. */
export interface WidgetCase {
  readonly title: string;
  /** The page that it is tried on, without `.html`. Cases that follow each other share it. */
  readonly on: string;
  /** @returns what is not as it must be. */
  readonly run: (visit: Visit) => Promise<readonly string[]>;
}

/** Colours of pages/drawn.html. */
export const BARS = [208, 0, 255];
export const ROWS = [0, 200, 83];

export const widgetCases: readonly WidgetCase[] = [
  {
    title: "a cell loads nothing before the first click, and runs alone",
    on: "cells",
    run: async ({ cell, site }) => {
      const alone = cell("alone");
      await alone.waits(`${alone.text("run")} === "Run"`);
      const before = site.asked.join(" ");
      await alone.run();
      return [
        ...(before === "widget.js" ? [] : [`what is loaded before the click is ${before}`]),
        ...(await alone.differs("the output", alone.outputText, /^\s*42\s*$/)),
        ...(await alone.differs("the state", alone.text("status"), /^Done in /)),
      ];
    },
  },
  {
    title: "two cells of one session share variables",
    on: "cells",
    run: async ({ cell }) => {
      const second = cell("second");
      await cell("first").run();
      await second.run();
      return second.differs("the output", second.outputText, /'2 articles'/);
    },
  },
  {
    title: "input() is answered in the cell",
    on: "cells",
    run: async ({ cell }) => {
      const asks = cell("asks");
      await asks.click("run");
      await asks.says(/^Waiting for your input/);
      await asks.type("form input", "Ada");
      await asks.clickIn("form [data-do=send]");
      await asks.says(/^Done /);
      return asks.differs("the output", asks.outputText, /'Hello, Ada'/);
    },
  },
  {
    title: "Stop ends a loop, and the variables of the session stay",
    on: "cells",
    run: async ({ cell }) => {
      const [loop, after] = [cell("loop"), cell("after")];
      await loop.click("run");
      await loop.says(/^Running/);
      await loop.click("stop");
      await loop.says(/^Stopped after /);
      await after.run();
      return after.differs("the output", after.outputText, /\(2, True\)/);
    },
  },
  {
    title: "the editor opens in the code's place, and what is typed runs",
    on: "cells",
    run: async ({ cell }) => {
      const edited = cell("edited");
      await edited.click("edit");
      await edited.type(".cm-content", "9");
      await edited.run();
      // The caret stands at one end of the line or at the other.
      return edited.differs("the output", edited.outputText, /\b(?:672|474)\b/);
    },
  },
  {
    title: "an error is marked in its line of the editor",
    on: "cells",
    run: async ({ cell }) => {
      const wrong = cell("wrong");
      await wrong.click("edit");
      await wrong.waits(`${wrong.element}.shadowRoot?.querySelector(".cm-content")?.checkVisibility() === true`);
      await wrong.run();
      const root = `${wrong.element}.shadowRoot`;
      return [
        ...(await wrong.differs("the state", wrong.text("status"), /ZeroDivisionError in line 2\.$/)),
        ...(await wrong.differs("the line", `${root}.querySelector(".cm-fault-line")?.textContent`, "kept / 0")),
        ...(await wrong.differs("what it says", `${root}.querySelector(".cm-fault")?.textContent`, /division by zero/)),
      ];
    },
  },
  {
    title: "an exercise is judged in an interpreter of its own",
    on: "cells",
    run: async ({ cell }) => {
      const exercise = cell("exercise");
      await exercise.run();
      return exercise.differs("the check", exercise.text("check"), /Not yet: The mean of 1 and 3 is 2\s+It gave 0\./);
    },
  },
  {
    title: "a chart and HTML are drawn in sealed frames",
    on: "drawn",
    run: drawn,
  },
  {
    title: "a cell that runs by itself does so once it is near, scrolls nothing and takes no focus",
    on: "autorun",
    run: async ({ cell, page }) => {
      const autorun = cell("autorun");
      const early = await page.evaluate(`${autorun.element}.shadowRoot === null`);
      await page.evaluate(`scrollTo({ top: document.getElementById("heading").offsetTop - 300, behavior: "instant" })`);
      const place = `JSON.stringify([scrollY, document.getElementById("heading").getBoundingClientRect().top])`;
      const before = z.string().parse(await page.evaluate(place));
      await autorun.says(/^Done /);
      await autorun.waits(`${autorun.outputText}.includes("line 59")`);
      return [
        ...(early === true ? [] : ["it was drawn before it was near"]),
        ...(await autorun.differs("where the page is scrolled to", place, before)),
        ...(await autorun.differs("what has the focus", "document.activeElement.localName", "body")),
      ];
    },
  },
];

/** Runs the cell of pages/drawn.html and looks at what the tab shows of it. */
export async function drawn({ cell, page }: Visit): Promise<readonly string[]> {
  const chart = cell("chart");
  await chart.run();
  const frames = `[...${chart.output}.querySelectorAll("iframe")]`;
  await chart.waits(`${chart.output}?.querySelectorAll("iframe").length === 2`);
  const [bars, rows] = [await seen(page, `${frames}[0]`, BARS), await seen(page, `${frames}[1]`, ROWS)];
  return [
    ...(bars > 5000 ? [] : [`the chart shows ${String(bars)} pixels of its bars`]),
    ...(rows > 5000 ? [] : [`the HTML shows ${String(rows)} pixels of its table`]),
  ];
}

/** Pixels of a colour in a frame, which is brought into view and may take some time to show what is in it. */
async function seen(page: EnginePage, frame: string, colour: readonly number[]): Promise<number> {
  await page.evaluate(`${frame}.scrollIntoView({ block: "center", behavior: "instant" })`);
  let count = 0;
  for (let look = 0; look < 20 && count === 0; look += 1) {
    // Until the next two frames of the tab are there.
    await page.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go, 100)))");
    count = await pixelsOf(page, frame, { colour });
  }
  return count;
}

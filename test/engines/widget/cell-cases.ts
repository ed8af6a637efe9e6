import { z } from "zod";

import { policyOf } from "../policies.js";
import { showsBars, showsRows } from "./drawn-pixels.js";
import type { WidgetCase } from "./widget-case.js";

/** What cells of the built widget do. */
export const cellCases: readonly WidgetCase[] = [
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
    // The strictest page is the ordinary one here: what is drawn under its policy is drawn without it.
    title: "a chart and HTML are drawn in sealed frames, also with what vitrine csp prints and img-src data:",
    on: "drawn",
    policy: async () => `default-src 'none'; ${await policyOf([])}; img-src data:`,
    run: async ({ cell, page }) => {
      const chart = cell("chart");
      await chart.run();
      const frames = `[...${chart.output}.querySelectorAll("iframe")]`;
      await chart.waits(`${chart.output}?.querySelectorAll("iframe").length === 2`);
      return [...(await showsBars(page, `${frames}[0]`)), ...(await showsRows(page, `${frames}[1]`))];
    },
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

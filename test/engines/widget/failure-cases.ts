import { shows } from "../shows.js";
import type { ScriptFailure } from "./site.js";
import type { WidgetCase } from "./widget-case.js";

const failures: readonly (readonly [string, ScriptFailure])[] = [
  ["the network is gone", "gone"],
  ["the server does not have it", "missing"],
  ["the server answers everything with a page", "page"],
];

/** What becomes of a page some of whose scripts do not come after it was loaded. */
export const failureCases: readonly WidgetCase[] = [
  ...failures.map(([when, how]): WidgetCase => ({
    title: `a script that does not come, because ${when}, ends in a sentence, and the page goes on`,
    on: "cells",
    failing: { script: "runtime", how },
    run: async ({ cell, page }) => {
      const alone = cell("alone");
      await alone.run();
      const first = await alone.differs(
        "what the cell says",
        alone.text("message"),
        "The script with what runs Python did not load. Check that you are online, then try again.",
      );
      await alone.run();
      // Another part of the widget, in another cell.
      await cell("edited").click("edit");
      await cell("edited").waits(`${cell("edited").element}.shadowRoot.querySelector(".cm-content") !== null`);
      return [
        ...first,
        ...(await alone.differs(
          "what the cell says then",
          alone.text("message"),
          "The script with what runs Python did not load again. Reload the page once you are online.",
        )),
        ...(await alone.differs("the button", alone.text("run"), "Run")),
        ...((await page.evaluate("window.uncaught")) === 0 ? [] : ["an error reached nobody"]),
      ];
    },
  })),
  {
    title: "a policy that lets only the first script is named in the cell, with the directive that is missing",
    on: "cells",
    policy: (origin) => `script-src ${origin}/vitrine/dist/widget.js ${origin}/uncaught.js`,
    run: async ({ cell, site }) => {
      const alone = cell("alone");
      await alone.run();
      const script = `${site.origin}/vitrine/dist/(?:runtime|output|core)[\\w-]*\\.js`;
      const sentence = new RegExp(
        `^The Content Security Policy of this site blocks ${script}\\. Its script-src(?:-elem)? has to allow it\\.$`,
      );
      return alone.differs("what the cell says", alone.text("message"), sentence);
    },
  },
  {
    title: "a chart and HTML whose scripts do not come are there as text, with a sentence that says why",
    on: "outputs",
    failing: { script: "draw", how: "gone" },
    run: async ({ page }) => {
      const text = (id: string): string => `document.getElementById("${id}").shadowRoot.textContent`;
      const why = "because a script of this page did not load";
      await shows(page, `${text("chart")}.includes("This chart cannot be drawn: a script of this page did not load.")`);
      await shows(page, `${text("chart")}.includes('"field":"rain"')`);
      await shows(page, `${text("rows")}.includes("This HTML cannot be drawn, ${why}.")`);
      await shows(page, `${text("rows")}.includes("<td>Row 39</td>")`);
      return (await page.evaluate("window.uncaught")) === 0 ? [] : ["an error reached nobody"];
    },
  },
];

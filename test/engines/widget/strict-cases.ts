import { policyOf } from "../policies.js";
import { shows } from "../shows.js";
import { showsBars, showsRows } from "./drawn-pixels.js";
import type { Visit, WidgetCase } from "./widget-case.js";

const PICTURES = "img-src data:";

const strictest = async (...options: readonly string[]): Promise<string> =>
  `default-src 'none'; ${await policyOf(options)}`;

/** A page that allows nothing besides what `vitrine csp` prints, and pictures. */
export const strictCases: readonly WidgetCase[] = [
  // A page by origin is that of cell-cases.ts.
  ...["--nonce", "--strict-dynamic"].map((option): WidgetCase => ({
    title: `a page with what vitrine csp ${option} prints, and img-src data:, draws a chart, HTML and a picture`,
    on: "outputs",
    policy: async () => `${await strictest(option)}; ${PICTURES}`,
    run: drawsAll,
  })),
  {
    title: "a page whose policy refuses pictures says so in the place of a chart and of a picture",
    on: "outputs",
    policy: () => strictest("--nonce"),
    run: async ({ page }) => {
      const sentence = "the Content Security Policy of this site refuses pictures: its img-src has to allow data:.";
      for (const id of ["chart", "picture"]) {
        await shows(page, `document.getElementById("${id}").shadowRoot.textContent.includes("${sentence}")`);
      }
      return showsRows(page, frameOf("rows"));
    },
  },
];

async function drawsAll({ page }: Visit): Promise<readonly string[]> {
  await shows(page, `${frameOf("chart")} && ${frameOf("rows")}`);
  const drawn = [...(await showsBars(page, frameOf("chart"))), ...(await showsRows(page, frameOf("rows")))];
  // What zod tries once, to know whether it may compile.
  const refused = await page.evaluate(`window.violations.filter((each) => each !== "script-src eval")`);
  await page.click("#rows >>> [aria-expanded=false]");
  await shows(page, `${frameOf("rows")}.getBoundingClientRect().height > 460`);
  const enlarged = await showsRows(page, frameOf("rows"), 0.9);
  const picture = `document.getElementById("picture").shadowRoot.querySelector("img")`;
  await shows(page, `${picture}?.naturalWidth === 1`);
  return [
    ...drawn,
    ...enlarged.map((each) => `after More, below: ${each}`),
    ...(JSON.stringify(refused) === "[]" ? [] : [`the policy refused ${JSON.stringify(refused)}`]),
  ];
}

function frameOf(id: string): string {
  return `document.getElementById("${id}").shadowRoot.querySelector("iframe")`;
}

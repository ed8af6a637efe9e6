import { afterEach, describe, expect, inject, test, vi } from "vitest";

import "../../../src/ui/styles/index.css";

import type { MimeBundle } from "../../../src/protocol/index.js";
import { ChartView } from "../../../src/ui/components/content/chart-view.js";
import { OutputView } from "../../../src/ui/components/content/output-view.js";
import { SealedView } from "../../../src/ui/components/content/sealed-view.js";
import { OutputLog } from "../../../src/ui/state/text/output-log.js";
import { openSession } from "../session/hosts.js";

const LITE = "application/vnd.vegalite.v5+json";
const VEGA = "application/vnd.vega.v6+json";

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

const bars = {
  $schema: "https://vega.github.io/schema/vega-lite/v5.json",
  description: "Rain by month",
  data: {
    values: [
      { month: "May", rain: 53 },
      { month: "June", rain: 65 },
      { month: "July <3", rain: 81 },
    ],
  },
  mark: "bar",
  encoding: { x: { field: "month", type: "nominal" }, y: { field: "rain", type: "quantitative" } },
};

interface Shown {
  readonly output: OutputView;
  readonly chart: ChartView;
  /** The SVG; empty where none is drawn. */
  readonly svg: string;
  readonly text: string;
}

/** Draws an output as the page does. */
async function show(data: MimeBundle): Promise<Shown> {
  const output = new OutputView();
  output.output = new OutputLog();
  output.output.add({ kind: "display", source: "display", data });
  document.body.append(output);
  await output.updateComplete;
  const chart = output.querySelector("vitrine-app-chart");
  if (!(chart instanceof ChartView)) throw new Error("No chart was drawn.");
  return { output, ...(await drawn(chart)) };
}

/** Draws a chart that has so many milliseconds. */
async function showWithin(time: number, spec: unknown): Promise<Omit<Shown, "output">> {
  const chart = new ChartView();
  chart.chart = { language: "vega-lite", spec: JSON.stringify(spec) };
  chart.time = time;
  document.body.append(chart);
  return drawn(chart);
}

async function drawn(chart: ChartView): Promise<Omit<Shown, "output">> {
  await chart.updateComplete;
  const sealed = chart.querySelector("vitrine-app-sealed-view");
  const svg = sealed instanceof SealedView ? sealed.content : "";
  return { chart, svg, text: chart.textContent.replaceAll(/\s+/g, " ").trim() };
}

const lite = (spec: unknown, others: MimeBundle = {}): MimeBundle => ({ ...others, [LITE]: JSON.stringify(spec) });

const textsOf = (svg: string): string[] =>
  [...new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("text")].map(
    ({ textContent }) => textContent,
  );

const partsOf = (svg: string, kind: string): Element[] => [
  ...new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll(`[aria-roledescription="${kind}"]`),
];

describe("a chart", () => {
  test("of Vega-Lite is drawn in a sealed frame, with its bars, labels and description", async () => {
    const { chart, svg } = await show(lite(bars));
    const frame = chart.querySelector("iframe");

    expect(partsOf(svg, "bar")).toHaveLength(3);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(["May", "June", "July <3", "month", "rain"]));
    expect(frame?.getAttribute("sandbox")).toBe("");
    expect(frame?.title).toBe("Rain by month");
    expect(frame?.srcdoc).toContain("data:image/svg+xml");
    expect(chart.querySelector("script")).toBeNull();
  });

  test("of Vega is drawn, and its expressions are worked out without compiling them", async () => {
    const { svg } = await show({
      [VEGA]: JSON.stringify({
        width: 100,
        height: 50,
        title: "Squares",
        data: [
          {
            name: "t",
            values: [{ x: 2 }, { x: 3 }],
            transform: [{ type: "formula", as: "y", expr: "'square ' + pow(datum.x, 2)" }],
          },
        ],
        marks: [{ type: "text", from: { data: "t" }, encode: { enter: { text: { field: "y" } } } }],
      }),
    });

    expect(textsOf(svg)).toEqual(expect.arrayContaining(["square 4", "square 9"]));
  });

  test("is no wider than it says, and its letters are measured", async () => {
    const { chart, svg } = await show(lite(bars));
    const shape = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const frame = chart.querySelector("iframe");

    expect(frame?.getBoundingClientRect().width).toBeCloseTo(Number(shape.getAttribute("width")), 0);
    // An estimate without a canvas takes each letter for a wide one.
    const narrow = await show(lite({ ...bars, data: { values: [{ month: "iiiiiiiiiiiiiiiiiiiiiiii", rain: 1 }] } }));
    expect(textsOf(narrow.svg)).toContain("iiiiiiiiiiiiiiiiiiiiiiii");
  });

  test("has its data below it, drawn once they are asked for", async () => {
    const { chart } = await show(lite(bars));
    const details = chart.querySelector("details");
    expect(chart.querySelector("table")).toBeNull();

    details?.querySelector("summary")?.click();
    await vi.waitFor(() => {
      expect(chart.querySelectorAll("tbody tr")).toHaveLength(3);
    });

    expect(chart.querySelector("table")?.textContent).toContain("July <3");
  });

  test.each([LITE, "application/vnd.vegalite.v4.17.0+json", "application/vnd.vegalite.v6.json"])(
    "is one by its MIME type (%s)",
    async (mime) => {
      expect(partsOf((await show({ [mime]: JSON.stringify(bars) })).svg, "bar")).toHaveLength(3);
    },
  );

  test("that Altair made, for the mouse as well, is drawn as it is at first", async () => {
    // What Altair 6.3 gives for `Chart(…).mark_bar().encode(x="m:N", y="r:Q").interactive()`, as data.
    const { svg, text, chart } = await show({
      "application/vnd.vegalite.v6.json": JSON.stringify({
        config: { view: { continuousWidth: 300, continuousHeight: 300 } },
        data: { name: "data-7c3e" },
        datasets: {
          "data-7c3e": [
            { m: "May", r: 5 },
            { m: "June", r: 7 },
          ],
        },
        mark: { type: "bar" },
        encoding: { x: { field: "m", type: "nominal" }, y: { field: "r", type: "quantitative" } },
        params: [{ name: "param_1", select: { type: "interval", encodings: ["x", "y"] }, bind: "scales" }],
        title: "Rain",
        $schema: "https://vega.github.io/schema/vega-lite/v6.4.1.json",
      }),
      "text/plain":
        "<VegaLite 6 object>\n\nIf you see this message, it means the renderer has not been properly enabled",
    });

    expect(partsOf(svg, "bar")).toHaveLength(2);
    expect(text).toBe("Data of this chart");
    expect(chart.querySelector("iframe")?.title).toBe("Rain");
  });

  test("goes before the HTML, pictures and text of the same output, wherever it is among them", async () => {
    const { output, svg } = await show(
      lite(bars, { "text/plain": "<Chart>", "text/html": "<p>x</p>", "image/svg+xml": "<svg/>" }),
    );

    expect(partsOf(svg, "bar")).toHaveLength(3);
    expect(output.querySelectorAll("vitrine-app-sealed-view")).toHaveLength(1);
  });

  test("is called by what its text says, where it says nothing of itself", async () => {
    const spec = { ...bars, description: undefined };
    const named = await show(lite(spec, { "text/plain": "Rain, as a chart" }));
    expect(named.chart.querySelector("iframe")?.title).toBe("Rain, as a chart");
    document.body.replaceChildren();

    const nameless = await show(lite(spec, { "text/plain": "<__main__.Chart object at 0x7f00>" }));
    expect(nameless.chart.querySelector("iframe")?.title).toBe("Chart that the code made");
  });

  test("tells what a library warned of", async () => {
    const { svg, text } = await show(
      lite({ ...bars, encoding: { ...bars.encoding, wrong: { field: "rain", type: "quantitative" } } }),
    );

    expect(partsOf(svg, "bar")).toHaveLength(3);
    expect(text).toContain("wrong");
  });

  test("that code displays is drawn, with null for what is no number", async () => {
    const session = await openSession({ trust: "sandboxed" });
    const code = `
class Chart:
    def _repr_mimebundle_(self, include=None, exclude=None):
        values = [{"month": "May", "rain": 5.5}, {"month": "June", "rain": float("nan")}]
        return {"${LITE}": {"data": {"values": values}, "mark": "bar", "encoding": {
            "x": {"field": "month", "type": "nominal"}, "y": {"field": "rain", "type": "quantitative"}}}}
Chart()`;
    const { outputs } = await session.run(code);
    await session.close();
    const data: MimeBundle = outputs[0]?.data ?? {};

    expect(Object.keys(data)).toEqual([LITE, "text/plain"]);
    expect(data[LITE]).toContain('"rain": null');
    const { svg } = await show(data);
    expect(textsOf(svg)).toContain("May");
  });
});

describe("a chart that wants something from elsewhere", () => {
  const knock = (name: string): string => `${inject("toolServer")}/open/knock/${name}`;
  const knocks = async (name: string): Promise<string> =>
    (await fetch(`${inject("toolServer")}/open/knocks/${name}`)).text();

  const point = { mark: "point", encoding: { x: { field: "a", type: "quantitative" } } };
  const data = { values: [{ a: 1 }] };

  test.each([
    ["data", (url: string) => lite({ ...point, data: { url } }), "data"],
    [
      "data of a part",
      (url: string) => lite({ data, layer: [{ ...point, data: { url, format: { type: "csv" } } }] }),
      "data",
    ],
    [
      "data to look up",
      (url: string) =>
        lite({ ...point, data, transform: [{ lookup: "a", from: { data: { url }, key: "a", fields: ["b"] } }] }),
      "data",
    ],
    [
      "a picture",
      (url: string) =>
        lite({
          data: { values: [{ a: 1, url }] },
          mark: { type: "image", width: 9, height: 9 },
          encoding: { url: { field: "url" } },
        }),
      "a picture",
    ],
    [
      "data that a signal names",
      (url: string) => ({
        [VEGA]: JSON.stringify({ signals: [{ name: "u", value: url }], data: [{ name: "t", url: { signal: "u" } }] }),
      }),
      "data",
    ],
  ])("(%s) is not drawn, says so, and asks no server", async (name, bundle, what) => {
    const path = name.replaceAll(/\W/g, "-");

    const { chart, svg, text } = await show(bundle(knock(path)));

    expect(svg).toBe("");
    expect(chart.querySelector("iframe")).toBeNull();
    expect(text).toContain(`This chart cannot be drawn: it wants ${what} from ${knock(path)}`);
    expect(text).toContain("charts here draw only what is in them");
    expect(await knocks(path)).toBe("0");
  });

  test("keeps a picture that is in its own address", async () => {
    const url = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    const { svg } = await show(
      lite({
        data: { values: [{ url }] },
        mark: { type: "image", width: 9, height: 9 },
        encoding: { url: { field: "url" } },
      }),
    );

    expect(svg).toContain(url);
  });
});

/** An expression that takes longer than anybody lives. */
const ENDLESS = "test(/^(a+)+$/, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')";

describe("a chart that cannot be drawn", () => {
  test("because it never ends is ended, says so, and shows its data; the next one is drawn", async () => {
    const endless = { ...bars, transform: [{ calculate: ENDLESS, as: "x" }] };

    const { chart, text } = await showWithin(3000, endless);

    expect(text).toContain("This chart cannot be drawn: it was not drawn within 3 s.");
    expect(text).toContain("Rain by month");
    expect(chart.querySelectorAll("tbody tr")).toHaveLength(3);
    expect(partsOf((await show(lite(bars))).svg, "bar")).toHaveLength(3);
  });

  test("keeps the page's thread free all the time", async () => {
    let turns = 0;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      turns += 1;
      port2.postMessage(null);
    };
    port2.postMessage(null);

    await showWithin(300, { ...bars, transform: [{ calculate: ENDLESS, as: "x" }] });
    port1.close();

    expect(turns).toBeGreaterThan(100);
  });

  test.each([
    ["a billion rows", { data: { sequence: { start: 0, stop: 1e9 } }, mark: "point" }, "1,000,000,000 numbers"],
    [
      "a long list in an expression",
      { ...bars, transform: [{ calculate: "sequence(1e9)", as: "x" }] },
      "1,000,000,000 numbers",
    ],
    [
      "more points than can be drawn",
      {
        data: { sequence: { start: 0, stop: 20_000, as: "a" } },
        mark: "point",
        encoding: { x: { field: "a", type: "quantitative" } },
      },
      "marks and lines, and 9,000 can be drawn",
    ],
    ["no mark", { data: bars.data, encoding: bars.encoding }, "its specification is faulty (Invalid specification"],
    ["a mark that there is not", { ...bars, mark: "bares" }, "there is no mark 'bares'; there are arc, area, bar"],
    [
      "an expression that is none",
      { ...bars, transform: [{ filter: "datum.rain >" }] },
      "faulty (Unexpected end of input)",
    ],
    ["a function that there is not", { ...bars, transform: [{ calculate: "fetch('/')", as: "x" }] }, "fetch"],
    ["a list", [bars], "its specification is not an object"],
    ["nothing", {}, "its specification is empty"],
  ])("because of %s says so", async (_name, spec, reason) => {
    const { text, svg } = await show(lite(spec));

    expect(svg).toBe("");
    expect(text).toContain("This chart cannot be drawn: ");
    expect(text).toContain(reason);
  });

  test("because it is no JSON says so, and shows the text", async () => {
    const { text } = await show({ [LITE]: '{"mark": "bar",', "text/plain": "<Chart>" });

    expect(text).toContain("This chart cannot be drawn: its specification is not JSON");
    expect(text).toContain('{"mark": "bar",');
  });

  test("because it is nested without end says so", async () => {
    const depth = 20_000;
    const spec = `${'{"layer":['.repeat(depth)}${JSON.stringify(bars)}${"]}".repeat(depth)}`;

    const { text } = await show({ [LITE]: spec, "text/plain": "Rain" });

    expect(text).toMatch(/This chart cannot be drawn: .*\. Rain$/);
  });

  test("because it is too long is not read", async () => {
    const { text } = await show({ [LITE]: `{"a": "${"x".repeat(9_000_000)}"}`, "text/plain": "Rain" });

    expect(text).toContain("its specification has 9,000,009 characters, and 8,000,000 characters can be read. Rain");
  });

  test("shows the picture that the code made of it as well", async () => {
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>drawn before</text></svg>';

    const { svg } = await show(lite({}, { "text/html": "<p>x</p>", "image/svg+xml": picture }));

    expect(svg).toBe(picture);
  });

  test("is given up when it is taken away", async () => {
    const { output, chart } = await show({ "text/plain": "x", [LITE]: "{}" });
    output.remove();
    const endless = new ChartView();
    endless.chart = {
      language: "vega-lite",
      spec: JSON.stringify({ ...bars, transform: [{ calculate: ENDLESS, as: "x" }] }),
    };
    document.body.append(endless);
    await vi.waitFor(() => expect(document.querySelector('iframe[title="Vitrine executor"]')).not.toBeNull());

    endless.remove();
    document.body.append(chart);

    await vi.waitFor(() => expect(document.querySelector('iframe[title="Vitrine executor"]')).toBeNull());
  });
});

import { expressionFunction, parse, View, type Spec } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type Config, type TopLevelSpec } from "vega-lite";

import {
  LONGEST_CHART_SVG,
  type ChartAnswer,
  type ChartFacts,
  type ChartLanguage,
  type ChartOrder,
} from "../../src/protocol/index.js";
import { ChartFault, count, reasonOf } from "./chart-fault.js";
import { chartFacts, isRecord, type Json } from "./chart-facts.js";
import { ChartLog } from "./chart-log.js";
import { ClosedLoader } from "./closed-loader.js";
import { faultIn } from "./fault-in-spec.js";
import { boundSequences } from "./sequences.js";

/** Elements that the page draws of an SVG, with some room: it counts text as well, and parts that others refer to. */
const MOST_ELEMENTS = 9000;

/** Pixels of height of a chart that is to be as high as its container, which has a width alone. */
const HEIGHT = 300;

/** As the page's own text. */
const CONFIG: Config = { font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif" };

boundSequences();

/**
 * Draws a chart as SVG. Its expressions are interpreted, never compiled: this worker could not run what they would be compiled to.
 *
 * @param onFacts - called once the specification has been read.
 */
export async function drawChart(
  { language, spec: text, width }: ChartOrder,
  onFacts: (facts: ChartFacts) => void,
): Promise<ChartAnswer> {
  const log = new ChartLog();
  let spec: Json = {};
  try {
    spec = readSpec(text);
    onFacts(chartFacts(spec));
    const svg = await svgOf(vegaOf(spec, language, log), width, log);
    return { kind: "drawn", svg, warnings: log.warnings };
  } catch (error) {
    return { kind: "fault", reason: error instanceof ChartFault ? error.message : faultIn(spec, error) };
  }
}

function readSpec(text: string): Json {
  let spec: unknown;
  try {
    spec = JSON.parse(text);
  } catch (error) {
    throw new ChartFault(`its specification is not JSON (${reasonOf(error)})`, { cause: error });
  }
  if (!isRecord(spec)) throw new ChartFault("its specification is not an object");
  return spec;
}

function vegaOf(spec: Json, language: ChartLanguage, log: ChartLog): Spec {
  if (language === "vega" && isVega(spec)) return spec;
  if (language === "vega-lite" && isVegaLite(spec)) return compile(spec, { config: CONFIG, logger: log }).spec;
  throw new ChartFault("its specification is empty");
}

async function svgOf(spec: Spec, width: number, log: ChartLog): Promise<string> {
  const loader = new ClosedLoader();
  // The library asks the document, which there is none of.
  expressionFunction("containerSize", () => [width, HEIGHT]);
  const runtime = parse(spec, {}, { ast: true });
  const view = new View(runtime, { renderer: "none", expr: expressionInterpreter, loader, logger: log });
  const svg = await view.toSVG();
  const fault = loader.fault ?? log.fault;
  if (fault !== undefined) throw fault;
  const elements = svg.split(/<[a-z]/).length - 1;
  if (elements > MOST_ELEMENTS) {
    throw new ChartFault(
      `it has ${count(elements)} marks and lines, and ${count(MOST_ELEMENTS)} can be drawn; draw a sample of its data, or sums of them`,
    );
  }
  if (svg.length > LONGEST_CHART_SVG) {
    throw new ChartFault(
      `its drawing has ${count(svg.length)} characters, and ${count(LONGEST_CHART_SVG)} can be drawn`,
    );
  }
  return svg;
}

// The libraries check for themselves whether a specification is one: what they make of another is caught above.
function isVegaLite(spec: Json): spec is Json & TopLevelSpec {
  return Object.keys(spec).length > 0;
}

function isVega(spec: Json): spec is Json & Spec {
  return Object.keys(spec).length > 0;
}

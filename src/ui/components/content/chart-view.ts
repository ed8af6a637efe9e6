import { html, nothing, type TemplateResult } from "lit";

import { jsonIn, type ChartFacts } from "../../../protocol/index.js";
import type { Chart, ChartDrawing, ChartOptions } from "../../drawing/draw-chart.js";
import { frameQueue } from "../../drawing/frame-queue.js";
import { PICTURES_REFUSED, refusesPictures } from "../../drawing/picture-permission.js";
import { visibleLine } from "../../drawing/visible.js";
import { whyNotDrawn } from "../../drawing/why-not-drawn.js";
import { tableOfRecords, type TextTable } from "../../state/text/csv.js";
import { cutText } from "../../state/text/text-ends.js";
import { define, ViewElement } from "../base/view-element.js";
import "./data-table.js";
import { SealedView } from "./sealed-view.js";

/** Characters of a text that is shown in the place of a chart. */
const LONGEST_TEXT = 20_000;

/** Rows of a chart's data that are drawn at first. */
const FIRST_ROWS = 20;

/** Pixels of a chart that is to be as wide as there is room. */
const NARROWEST = 240;
const WIDEST = 720;

/** Draws a chart of Vega or Vega-Lite, with its data below it, once it is near what is seen. Where it cannot be drawn: why, and what is there instead. */
export class ChartView extends ViewElement {
  static override properties = {
    chart: { attribute: false },
    text: {},
    otherwise: { attribute: false },
    time: { type: Number },
  };
  declare chart: Chart | undefined;
  /** What else the output is: `text/plain`. */
  declare text: string;
  /** The picture of it that the code made as well. */
  declare otherwise: TemplateResult | null;
  /** Milliseconds that the drawing may take. Default: that of `drawChart`. */
  declare time: number | undefined;

  #drawing: ChartDrawing | undefined;
  #table: TextTable | null = null;
  /** Ends what is being drawn. */
  #work: AbortController | undefined;
  #drawn: Promise<void> = Promise.resolve();
  #noticed = Promise.withResolvers<undefined>();
  #isDataShown = false;

  constructor() {
    super();
    this.text = "";
    this.otherwise = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    frameQueue.watch(this, this.#notice);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    frameQueue.unwatch(this);
    this.#work?.abort();
    this.#work = undefined;
    this.#noticed.resolve(undefined);
    this.#noticed = Promise.withResolvers();
  }

  /** Also waits for the drawing, where it is near what is seen. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#noticed.promise;
    await this.#drawn;
    await super.getUpdateComplete();
    const sealed = this.querySelector("vitrine-app-sealed-view");
    return sealed instanceof SealedView ? sealed.updateComplete : true;
  }

  override render(): TemplateResult | typeof nothing {
    const { outcome, facts } = this.#drawing ?? {};
    if (outcome === undefined || facts === undefined)
      return html`<p class="pending hint" aria-busy="true">Drawing a chart …</p>`;
    if (outcome.kind === "fault") {
      return html`<p class="hint">This chart cannot be drawn: ${visibleLine(outcome.reason)}.</p>
        ${this.#instead(facts)}`;
    }
    const name = this.#nameOf(facts);
    return html`<div class="scroller" tabindex="0" role="group" aria-label=${name}>
        <vitrine-app-sealed-view kind="svg" own-size .content=${outcome.svg} label=${name}></vitrine-app-sealed-view>
      </div>
      ${outcome.warnings.map((warning) => html`<p class="hint">${visibleLine(warning)}</p>`)} ${this.#data()}`;
  }

  /** Without scripts a picture says nothing to those who do not see it; its data do. */
  #data(): TemplateResult | typeof nothing {
    if (this.#table === null) return nothing;
    return html`<details class="chart-data" @toggle=${this.#toggle}>
      <summary>Data of this chart</summary>
      ${this.#isDataShown ? dataTable(this.#table) : nothing}
    </details>`;
  }

  #instead({ name }: ChartFacts): TemplateResult {
    if (this.otherwise !== null) return this.otherwise;
    const caption = name === "" ? nothing : html`<p class="chart-name">${visibleLine(name)}</p>`;
    if (this.#table !== null) return html`${caption} ${dataTable(this.#table)}`;
    const text = saysNothing(this.text) ? (this.chart?.spec ?? "") : this.text;
    return html`${caption}
      <pre class="plain" tabindex="0" dir="ltr">${cutText(text, LONGEST_TEXT)}</pre>`;
  }

  #nameOf({ name }: ChartFacts): string {
    const names = [name, saysNothing(this.text) ? "" : this.text.slice(0, 200)];
    return visibleLine(names.find((each) => each !== "") ?? "Chart that the code made");
  }

  readonly #toggle = ({ target }: Event): void => {
    this.#isDataShown = target instanceof HTMLDetailsElement && target.open;
    this.requestUpdate();
  };

  readonly #notice = (isNear: boolean): void => {
    this.#noticed.resolve(undefined);
    if (isNear && this.#drawing === undefined && this.#work === undefined) this.#drawn = this.#draw();
  };

  async #draw(): Promise<void> {
    const { chart, time } = this;
    if (chart === undefined) return;
    const work = new AbortController();
    this.#work = work;
    const { signal } = work;
    const width = Math.min(WIDEST, Math.max(NARROWEST, this.clientWidth));
    const drawing = await drawnBy(chart, { signal, width, ...(time === undefined ? {} : { time }) });
    const isRefused = drawing.outcome.kind === "drawn" && (await refusesPictures());
    if (signal.aborted) return;
    this.#drawing = isRefused
      ? { facts: drawing.facts, outcome: { kind: "fault", reason: PICTURES_REFUSED } }
      : drawing;
    this.#table = tableOf(drawing.facts);
    this.requestUpdate();
  }
}
define("vitrine-app-chart", ChartView);

async function drawnBy(chart: Chart, options: ChartOptions): Promise<ChartDrawing> {
  try {
    const { drawChart } = await import("../../drawing/draw-chart.js");
    return await drawChart(chart, options);
  } catch (error) {
    return { facts: { name: "", rows: "", rowCount: 0 }, outcome: { kind: "fault", reason: whyNotDrawn(error) } };
  }
}

function tableOf({ rows, rowCount }: ChartFacts): TextTable | null {
  const table = tableOfRecords(jsonIn(rows));
  return table === null ? null : { ...table, total: rowCount };
}

function dataTable(table: TextTable): TemplateResult {
  return html`<vitrine-app-data-table
    label="Data of the chart"
    .table=${table}
    .limit=${FIRST_ROWS}
  ></vitrine-app-data-table>`;
}

/** The `repr` of an object that has none of its own, or a note of a library: `<__main__.Chart object at 0x7f00>`. */
function saysNothing(text: string): boolean {
  return text === "" || text.startsWith("<");
}

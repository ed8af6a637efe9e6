import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { until } from "lit/directives/until.js";

import { shortenUnits, signalText, type MimeBundle } from "../../../protocol/index.js";
import type { RunResult } from "../../../session/index.js";
import type { Chart } from "../../drawing/draw-chart.js";
import { DrawingPace } from "../../drawing/drawing-pace.js";
import { PICTURES_REFUSED, refusesPictures } from "../../drawing/picture-permission.js";
import { base64Address, pictureAddress } from "../../drawing/picture-address.js";
import { broken, cutText, withoutMiddle } from "../../state/text/text-ends.js";
import { imageType, jsonOrText } from "../../state/text/content-form.js";
import { tableOfRecords, type TextTable } from "../../state/text/csv.js";
import { formatCount, SIGNAL_NAMES } from "../../state/text/format.js";
import type { OutputBlock, OutputLog } from "../../state/text/output-log.js";
import "./chart-view.js";
import "./data-table.js";
import "./json-tree.js";
import "../base/long-text.js";
import "./markdown-view.js";
import "./sealed-view.js";
import { define, ViewElement } from "../base/view-element.js";

/** Characters of base64 that tell the kind of a picture; four of them are three bytes. */
const BEGINNING = 64;

/** Bytes of a text that are read: more than is drawn of any. */
const MOST_BYTES = 8_000_000;

/** Characters of a plain text that are drawn among other outputs. */
const LONGEST_BESIDE = 20_000;

/** Characters of an error that are drawn, of its beginning, where it was raised, and of its end, what it says. */
const LONGEST_END = 20_000;

/** Rows of a table that can be looked at. */
const MOST_ROWS = 1000;

/** What a run printed, showed and came to, as it comes. */
export class OutputView extends ViewElement {
  static override properties = {
    output: { attribute: false },
    result: { attribute: false },
    version: { type: Number },
  };
  declare output: OutputLog | undefined;
  declare result: RunResult | null;
  /** Grows with every change of the output. */
  declare version: number;
  readonly #pace = new DrawingPace();
  readonly #drawn = new WeakSet<OutputBlock>();
  #goesOn: Promise<void> | undefined;

  constructor() {
    super();
    this.result = null;
    this.version = 0;
  }

  override render(): TemplateResult {
    const { leftOut = 0 } = this.output ?? {};
    return html`${leftOut === 0 ? nothing : html`<p class="hint">… ${formatCount(leftOut, "earlier output")} not shown</p>`}
    ${
      // Where the oldest goes, what was drawn of the others stays.
      repeat(this.#blocks(), (item) => item, block)
    }
    ${guard([this.result], () => this.#value())} ${this.#error()} ${this.#notices()}`;
  }

  /** Those that are drawn, and a few more: hundreds that come at once, each as large as it may be, are drawn over many frames. */
  #blocks(): readonly OutputBlock[] {
    const { blocks = [] } = this.output ?? {};
    let next = blocks.findIndex((item) => !this.#drawn.has(item));
    if (next < 0) return blocks;
    if (this.#goesOn === undefined) {
      const end = Math.min(blocks.length, next + this.#pace.begin());
      for (const item of blocks.slice(next, end)) this.#drawn.add(item);
      next = end;
      if (next < blocks.length) this.#goesOn = this.#drawOn();
    }
    return blocks.slice(0, next);
  }

  async #drawOn(): Promise<void> {
    await this.#pace.rest();
    this.#goesOn = undefined;
    this.requestUpdate();
  }

  /** Once all of it is drawn. */
  protected override async getUpdateComplete(): Promise<boolean> {
    let isDone = await super.getUpdateComplete();
    while (this.#goesOn !== undefined) {
      await this.#goesOn;
      isDone = await super.getUpdateComplete();
    }
    return isDone;
  }

  #value(): TemplateResult | typeof nothing {
    const text = this.result?.valueRepr ?? null;
    const drawn = this.output?.blocks.some((item) => item.kind === "rich" && item.source === "value");
    // The value of `final_answer(…)` is the answer, which has a place of its own.
    const isAnswer = (this.result?.finalAnswer ?? null) !== null;
    if (text === null || drawn === true || isAnswer || this.#isSignal(text)) return nothing;
    const table = tableOfRecords(this.result?.value, MOST_ROWS);
    if (table !== null) return html`<div class="out rich value" part="rich">${dataTable(table)}</div>`;
    return html`<vitrine-app-long-text
      kind="value"
      label="Value"
      .isCode=${true}
      .text=${broken(shortenUnits(text, 4000))}
    ></vitrine-app-long-text>`;
  }

  /** The value of `commit(…)` is the signal, which is among the blocks. */
  #isSignal(text: string): boolean {
    return this.result?.signals.some((signal) => signalText(signal) === text) === true;
  }

  #error(): TemplateResult | typeof nothing {
    const error = this.result?.error;
    if (error === null || error === undefined) return nothing;
    return html`<vitrine-app-long-text
      kind="bad"
      label="Error"
      .isCode=${true}
      .text=${withoutMiddle(error.toString().trimEnd(), LONGEST_END)}
    ></vitrine-app-long-text>`;
  }

  #notices(): TemplateResult | typeof nothing {
    const notices = this.result?.notices ?? [];
    return notices.length === 0
      ? nothing
      : html`${notices.map((notice) => html`<p class="notice" part="notice" dir="auto">${notice}</p>`)}`;
  }
}
define("vitrine-app-output", OutputView);

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-app-output": OutputView;
  }
}

function block(item: OutputBlock): TemplateResult {
  if (item.kind === "rich")
    return html`<div class="out rich" part="rich">${guard([item.data], () => rich(item.data))}</div>`;
  if (item.kind === "signal") {
    return html`<p class="out signal ${item.type}" part="notice" dir="auto">
      <span class="caption">${SIGNAL_NAMES[item.type]}:</span> ${cutText(item.message, LONGEST_BESIDE)}
    </p>`;
  }
  const hidden = item.length - item.text.length;
  return html`<vitrine-app-long-text
    .kind=${item.stream}
    .note=${hidden > 0 ? `… ${formatCount(hidden, "earlier character")} not shown` : ""}
    .text=${guard([item.text], () => broken(item.text))}
  ></vitrine-app-long-text>`;
}

/**
 * The most expressive form that can be drawn here; the bundle is in that order. A chart goes before all others, as in Jupyter:
 * libraries give pictures and HTML beside it, whose scripts do not run here.
 */
function rich(data: MimeBundle): TemplateResult {
  const chart = chartIn(data);
  if (chart !== null) return chartView(chart, data);
  for (const [mime, content] of Object.entries(data)) {
    if (mime === "text/latex" && Object.keys(data).some((other) => other.startsWith("image/") || other === "text/html"))
      continue;
    const drawn = drawMime(mime, content);
    if (drawn !== null) return drawn;
  }
  const kinds = Object.keys(data).join(", ");
  return html`<p class="hint">An output that cannot be drawn here: ${kinds}</p>`;
}

/** `application/vnd.vegalite.v5+json` and others of its kind, by the language that they name; Altair 6 writes `v6.json`. */
const CHART = /^application\/vnd\.(vega|vegalite)\.v\d{1,3}(?:\.\d{1,5}){0,2}[+.]json$/;

function chartIn(data: MimeBundle): Chart | null {
  for (const [mime, content] of Object.entries(data)) {
    const language = CHART.exec(mime)?.[1];
    if (language !== undefined) return { language: language === "vega" ? "vega" : "vega-lite", spec: asText(content) };
  }
  return null;
}

function chartView(chart: Chart, data: MimeBundle): TemplateResult {
  const picture = Object.keys(data).find((mime) => mime.startsWith("image/"));
  const otherwise = picture === undefined ? null : drawMime(picture, data[picture] ?? "");
  return html`<vitrine-app-chart
    .chart=${chart}
    .text=${asText(data["text/plain"] ?? "")}
    .otherwise=${otherwise}
  ></vitrine-app-chart>`;
}

function drawMime(mime: string, content: string | Uint8Array): TemplateResult | null {
  if (mime.startsWith("image/") && mime !== "image/svg+xml") {
    const picture = typeof content === "string" ? pictureInText(content) : pictureInBytes(content);
    if (picture === null) return null;
    return html`${until(whyNoPicture(), nothing)}
      <img class="picture" alt="Picture that the code made" src=${until(picture, nothing)} />`;
  }
  const text = asText(content);
  switch (mime) {
    case "text/html":
      return html`<vitrine-app-sealed-view
        kind="html"
        .content=${text}
        label="HTML that the code made"
      ></vitrine-app-sealed-view>`;
    case "image/svg+xml":
      return html`<vitrine-app-sealed-view
        kind="svg"
        .content=${text}
        label="Drawing that the code made"
      ></vitrine-app-sealed-view>`;
    case "text/markdown":
      return html`<vitrine-app-markdown .text=${text}></vitrine-app-markdown>`;
    case "application/json":
      return json(jsonOrText(text));
    case "text/latex":
    case "text/plain":
      return html`<pre class="plain" tabindex="0" dir="auto">${cutText(text, LONGEST_BESIDE)}</pre>`;
    default:
      return null;
  }
}

async function whyNoPicture(): Promise<TemplateResult | typeof nothing> {
  if (!(await refusesPictures())) return nothing;
  return html`<p class="hint">This picture cannot be shown: ${PICTURES_REFUSED}.</p>`;
}

function asText(content: string | Uint8Array): string {
  return typeof content === "string" ? content : new TextDecoder().decode(content.subarray(0, MOST_BYTES));
}

function json(value: unknown): TemplateResult {
  const table = tableOfRecords(value, MOST_ROWS);
  return table === null ? html`<vitrine-app-json-tree .value=${value}></vitrine-app-json-tree>` : dataTable(table);
}

function dataTable(table: TextTable): TemplateResult {
  return html`<vitrine-app-data-table .table=${table} .limit=${20}></vitrine-app-data-table>`;
}

/** The address of a picture; null where it is none that is drawn. */
function pictureInBytes(bytes: Uint8Array): Promise<string> | null {
  const type = imageType(bytes);
  return type === null ? null : pictureAddress(type, bytes);
}

/** The same of a picture in base64. */
function pictureInText(text: string): Promise<string> | null {
  const beginning = text
    .slice(0, 2 * BEGINNING)
    .replace(/\s/g, "")
    .slice(0, BEGINNING);
  if (!/^[a-z\d+/]*={0,2}$/i.test(beginning)) return null;
  const letters = beginning.replace(/=+$/, "");
  if (letters.length % 4 === 1) return null;
  const type = imageType(Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0)));
  return type === null ? null : base64Address(type, text);
}

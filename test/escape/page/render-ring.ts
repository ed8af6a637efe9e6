import { marked } from "marked";
import type { TopLevelSpec } from "vega-lite";

import { ChartView } from "../../../src/ui/components/content/chart-view.js";
import { ContentView } from "../../../src/ui/components/content/content-view.js";
import { MarkdownView } from "../../../src/ui/components/content/markdown-view.js";
import { OutputView } from "../../../src/ui/components/content/output-view.js";
import { SealedView } from "../../../src/ui/components/content/sealed-view.js";
import { contentForm } from "../../../src/ui/state/text/content-form.js";
import { OutputLog } from "../../../src/ui/state/text/output-log.js";
import type { VitrineOutput } from "../../../src/ui/widget/output/index.js";
import "../../../src/ui/widget/output/index.js";
import type { Attempt, Place } from "../attempts/index.js";
import type { Outcome } from "./frame-ring.js";

const mimes = {
  html: "text/html",
  svg: "image/svg+xml",
  markdown: "text/markdown",
  "vega-lite": "application/vnd.vegalite.v5+json",
} as const;
const endings = { html: "html", svg: "svg", markdown: "md" } as const;

/** Milliseconds that a document's load event may take; one that never loads says nothing either. */
const LOADING = 2000;

/**
 * Draws the content as output and as an artifact, with the page's own components: those of the demo, and the element that
 * documentation sites embed. This page has no policy, as such a site may have none.
 */
export async function attemptByDrawing(
  attempt: Attempt,
  { place, sealed }: { place: Place; sealed: boolean },
): Promise<Outcome> {
  const { language } = attempt;
  if (language !== "html" && language !== "svg" && language !== "markdown" && language !== "vega-lite") {
    throw new Error(`${language} is nothing to draw.`);
  }
  const content = attempt.code(place);
  if (!sealed) {
    if (language === "vega-lite") await drawPlainChart(content);
    else await drawPlainly(language === "markdown" ? await marked.parse(content) : content);
    return { gained: true, text: "drawn" };
  }
  const output = new OutputView();
  output.output = new OutputLog();
  output.output.add({ kind: "display", source: "display", data: { [mimes[language]]: content } });
  const embedded = document.createElement("vitrine-output");
  embedded.add({ kind: "display", source: "display", data: { [mimes[language]]: content } });
  // No file is drawn as a chart.
  const views: View[] = [output, embedded];
  if (language !== "vega-lite") views.push(artifactOf(`evil.${endings[language]}`, content));
  // Documents are drawn where they are near what is seen, and all stay there until the batch is looked at.
  for (const view of views) view.style.cssText = "position: fixed; inset: 0 0 auto 0";
  document.body.append(...views);
  const frames = (await Promise.all(views.map(drawnWhole))).flat();
  return { gained: true, text: `drawn in ${String(frames.length)} frames` };
}

type View = OutputView | ContentView | VitrineOutput;

function artifactOf(name: string, content: string): ContentView {
  const artifact = new ContentView();
  artifact.form = contentForm(name, new TextEncoder().encode(content));
  artifact.full = true;
  return artifact;
}

/**
 * The frames of a view, once they are loaded.
 *
 * @throws {Error} when it drew neither a frame, nor Markdown, nor a text instead: there would be nothing to see then.
 */
async function drawnWhole(view: View): Promise<HTMLIFrameElement[]> {
  const loadedFrames = new Set<EventTarget | null>();
  const note = ({ target }: Event): void => {
    loadedFrames.add(target);
  };
  const root = view.shadowRoot ?? view;
  // What loads in a shadow tree is heard of there alone.
  root.addEventListener("load", note, true);
  await view.updateComplete;
  for (const chart of root.querySelectorAll("vitrine-app-chart"))
    if (chart instanceof ChartView) await chart.updateComplete;
  const inner = [...root.querySelectorAll("vitrine-app-sealed-view, vitrine-app-markdown")];
  for (const part of inner) {
    if (part instanceof SealedView || part instanceof MarkdownView) await part.updateComplete;
    if (!(part instanceof SealedView)) continue;
    // What waits for a person's click in this engine.
    part.querySelector<HTMLButtonElement>(".held-back button")?.click();
    await part.updateComplete;
  }
  if (root.querySelector("iframe, .markdown, pre.plain, table") === null) throw new Error("Nothing was drawn.");
  const frames = [...root.querySelectorAll("iframe")];
  await Promise.all(frames.filter((frame) => !loadedFrames.has(frame)).map(loaded));
  root.removeEventListener("load", note, true);
  return frames;
}

async function drawPlainly(content: string): Promise<void> {
  const frame = document.createElement("iframe");
  frame.className = "unsealed";
  frame.srcdoc = `<!doctype html>${content}`;
  const done = loaded(frame);
  document.body.append(frame);
  await done;
}

/** As the library draws it of itself, on a page that lets it. */
async function drawPlainChart(spec: string): Promise<void> {
  const [{ parse, View }, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const container = document.createElement("div");
  document.body.append(container);
  const parsed: unknown = JSON.parse(spec);
  if (isVegaLite(parsed)) await new View(parse(compile(parsed).spec), { renderer: "svg", container }).runAsync();
}

function isVegaLite(spec: unknown): spec is TopLevelSpec {
  return typeof spec === "object" && spec !== null && "mark" in spec;
}

function loaded(frame: HTMLIFrameElement): Promise<void> {
  return new Promise((resolve) => {
    frame.addEventListener(
      "load",
      () => {
        resolve();
      },
      { once: true },
    );
    setTimeout(resolve, LOADING);
  });
}

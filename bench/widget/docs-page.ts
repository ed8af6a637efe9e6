import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What can be run on a page, and by what. */
export type DocsPageKind = "widget" | "plain" | "bare";

/** An example of a page of documentation, and what a run of it prints. */
export interface Example {
  readonly id: string;
  readonly code: string;
  readonly prints: string;
  /** Examples of one session share an interpreter; each run of one without begins afresh. */
  readonly session: string | null;
}

/** The examples that are run, first in each page. */
export const examples = {
  first: { id: "first", code: "print(6 * 7)", prints: "42", session: null },
  second: { id: "second", code: 'print("-".join(["a", "b", "c"]))', prints: "a-b-c", session: null },
  opensSession: { id: "third", code: "total = sum(range(10))\nprint(total)", prints: "45", session: "tour" },
  inSession: { id: "fourth", code: "print(total * 2)", prints: "90", session: "tour" },
  last: { id: "fifth", code: "print(sorted({3, 1, 2}))", prints: "[1, 2, 3]", session: null },
} as const satisfies Readonly<Record<string, Example>>;

/** Where the server has the library as it is published. */
const LIBRARY = "/vitrine/dist/";

/** The script that a reader of docs/embed.md puts into a page. */
export const WIDGET_SCRIPT = `${LIBRARY}widget.js`;

const PARAGRAPHS = [
  "An order names an article, a number of pieces and the country it goes to. Most of what follows asks the same three questions of it, and the answers differ by no more than the sums that are behind them.",
  "A reader of a table of orders looks for the largest one first. It is seldom what matters: a hundred small orders of one country weigh more, and come again next month.",
  "The functions below take lists and give lists. Nothing is kept between two calls, so that each of them can be tried alone, in any order, with the values of the example or with others.",
  "Rounding comes last. A price that is rounded before it is multiplied is wrong by as many cents as there are pieces, which a test with one does not show.",
];

/** A page of documentation as a site's generator would write it: text, pictures, styles, and `count` examples. */
export function docsPage(kind: DocsPageKind, count: number): string {
  const script = kind === "widget" ? `\n    <script type="module" src="${WIDGET_SCRIPT}"></script>` : "";
  const sections = examplesOf(count).map((example, index) => section(example, { kind, index }));
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Orders, a guide</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="guide.css" />${script}
  </head>
  <body>
    <nav><a href="first.html">Orders</a> <a href="next.html">Prices</a></nav>
    <main>
      <h1>Orders</h1>
      <p>${PARAGRAPHS[0] ?? ""}</p>
      <img src="chart.svg" width="480" height="160" alt="Orders by country" />
${sections.join("\n")}
      <img src="map.svg" width="480" height="160" alt="Where they go" />
    </main>${kind === "bare" ? BARE_SCRIPT : ""}
  </body>
</html>
`;
}

function examplesOf(count: number): Example[] {
  const first: readonly Example[] = Object.values(examples);
  const more = Array.from({ length: Math.max(0, count - first.length) }, (_, index): Example => {
    const product = String(index * 7);
    return { id: `more-${String(index)}`, code: `print(${String(index)} * 7)`, prints: product, session: null };
  });
  return [...first.slice(0, count), ...more];
}

function section(example: Example, { kind, index }: { readonly kind: DocsPageKind; readonly index: number }): string {
  return `      <h2>${String(index + 1)}. A question</h2>
      <p>${PARAGRAPHS[index % PARAGRAPHS.length] ?? ""}</p>
      ${DRAWING}
${markup(example, kind)}`;
}

function markup({ id, code, prints, session }: Example, kind: DocsPageKind): string {
  const shown = `<pre><code>${escaped(code)}</code></pre>\n<output><pre>${escaped(prints)}</pre></output>`;
  // Without the script a cell is an element that means nothing, and its children are what the author wrote.
  if (kind !== "bare")
    return `<vitrine-cell id="${id}"${session === null ? "" : ` session="${session}"`}>${shown}</vitrine-cell>`;
  return `<div class="example" id="${id}" data-session="${session ?? ""}">${shown}<button>Run</button></div>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const DRAWING = `<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><path d="M4 28V16h6v12zm9 0V8h6v20zm9 0V2h6v26z" fill="#456"/></svg>`;

/**
 * What a page does that has no library: Pyodide with the first click, as its documentation says, on the page's own thread. Each
 * run of an example that is alone gets an interpreter of its own; those of a session share the first one there is.
 */
const BARE_SCRIPT = `
    <script>
      let kept;
      async function open() {
        const { loadPyodide } = await import("/pyodide/pyodide.mjs");
        return loadPyodide({ indexURL: "/pyodide/" });
      }
      document.addEventListener("click", async ({ target }) => {
        const example = target.closest("button")?.closest(".example");
        if (example == null) return;
        const opening = example.dataset.session === "" || kept === undefined ? open() : kept;
        kept ??= opening;
        const pyodide = await opening;
        const shown = document.createElement("pre");
        shown.className = "result";
        pyodide.setStdout({ batched: (line) => shown.append(line + "\\n") });
        pyodide.runPython(example.querySelector("code").textContent);
        example.append(shown);
      });
    </script>`;

const STYLES = `body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 44rem; padding: 1rem; }
pre { background: #f3f4f6; border-radius: 6px; overflow: auto; padding: 0.75rem 1rem; }
img { display: block; height: auto; max-width: 100%; }
nav a { margin-right: 1rem; }
`;

/** Writes a site for each kind of page, with one of five examples, the next one, and one of two hundred. */
export async function writeSites(folder: string): Promise<void> {
  for (const kind of ["widget", "plain", "bare"] as const) {
    const site = join(folder, kind);
    await mkdir(site, { recursive: true });
    const pages = { first: 5, next: 5, long: 200 };
    for (const [name, count] of Object.entries(pages))
      await writeFile(join(site, `${name}.html`), docsPage(kind, count));
    await writeFile(join(site, "guide.css"), STYLES);
    await writeFile(join(site, "chart.svg"), picture([40, 90, 60, 120, 75]));
    await writeFile(join(site, "map.svg"), picture([100, 30, 80, 50, 110]));
  }
}

function picture(heights: readonly number[]): string {
  const bars = heights.map((height, index) => {
    const [x, y] = [String(index * 96 + 16), String(150 - height)];
    return `<rect x="${x}" y="${y}" width="64" height="${String(height)}" fill="#456"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="160">${bars.join("")}</svg>`;
}

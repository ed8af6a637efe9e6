import { html, nothing, type TemplateResult } from "lit";

import { median, type PackageResult, type SnippetResult } from "./result.js";
import type { CheckedPackage, Snippet, SourceName } from "./snippets/index.js";

/** What people call a source. */
export function titleOf(source: SourceName): string {
  return source === "wheels" ? "Wheels beside this page" : "Packages that were built for Pyodide";
}

/** The packages of a source: a row for each snippet, headed by its package. */
export function packageTable(
  source: SourceName,
  packages: readonly CheckedPackage[],
  results: ReadonlyMap<CheckedPackage, PackageResult>,
): TemplateResult {
  return html`<section>
    <h2 id=${`${source}-title`}>${titleOf(source)}</h2>
    <div class="scroller" role="region" tabindex="0" aria-labelledby=${`${source}-title`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Package</th>
            <th scope="col">Version</th>
            <th scope="col" class="number">Bytes</th>
            <th scope="col" class="number">Import, ms</th>
            <th scope="col">Snippet</th>
            <th scope="col">Outcome</th>
            <th scope="col">What was wrong</th>
          </tr>
        </thead>
        ${packages.map((checked) => packageRows(checked, results.get(checked)))}
      </table>
    </div>
  </section>`;
}

function packageRows(checked: CheckedPackage, result: PackageResult | undefined): TemplateResult {
  const { name, snippets } = checked;
  const file = result?.files.find((each) => each.name === name);
  const time = median(result?.importTimes ?? []);
  const rows = String(snippets.length);
  return html`<tbody data-package=${name}>
    ${snippets.map(
      (snippet, index) =>
        html`<tr>
          ${
            index > 0
              ? nothing
              : html`<th scope="rowgroup" rowspan=${rows}>${name}</th>
                  <td rowspan=${rows}>${file?.version ?? ""}</td>
                  <td rowspan=${rows} class="number">${file?.size.toLocaleString("en-US") ?? ""}</td>
                  <td rowspan=${rows} class="number">${time === null ? "" : time.toFixed(1)}</td>`
          }
          ${snippetCells(snippet, index, result)}
        </tr>`,
    )}
  </tbody>`;
}

function snippetCells(snippet: Snippet, index: number, result: PackageResult | undefined): TemplateResult {
  const done = result?.snippets.find(({ id }) => id === snippet.id);
  const problem = index === 0 ? (result?.problem ?? null) : null;
  const reason = [...(problem === null ? [] : [problem]), ...(done?.differences ?? [])].join("\n");
  return html`<td>
      <details>
        <summary>${snippet.title}</summary>
        <pre>${snippet.code}</pre>
      </details>
    </td>
    <td>${outcome(done, result)}</td>
    <td class="reason">${reason === "" ? nothing : html`<pre>${reason}</pre>`}</td>`;
}

function outcome(done: SnippetResult | undefined, result: PackageResult | undefined): TemplateResult {
  if (done?.outcome === "passed") return html`<span class="good">✓ passed</span>`;
  if (done?.outcome === "failed") return html`<span class="bad">✗ failed</span>`;
  if (result === undefined) return html`<span class="quiet">not run yet</span>`;
  return result.problem === null
    ? html`<span class="quiet">waits</span>`
    : html`<span class="bad">✗ could not be run</span>`;
}

import type { SuiteReport } from "./report.js";
import { runSuite } from "./run-suite.js";

declare global {
  interface Window {
    /** The report so far. */
    vitrineReport: SuiteReport | undefined;
  }
}

const options = new URLSearchParams(location.search);
const report = await runSuite({
  only: options.get("only") ?? "",
  // Whoever opens the page by hand, in any browser, has no other tests there.
  leavesToChromium: options.get("engine") === "chromium",
  onProgress: publish,
});
publish(report);
element("report").textContent = JSON.stringify(report, null, 2);

function publish(report: SuiteReport): void {
  window.vitrineReport = report;
  show(report);
}

function show({ cases, finished, elapsed }: SuiteReport): void {
  const count = (status: string): string => String(cases.filter((each) => each.status === status).length);
  const last = cases.at(-1);
  element("state").textContent = [
    `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped, ${String(Math.round(elapsed / 1000))} s.`,
    finished || last === undefined ? "" : `${last.variant}: ${last.id}`,
  ].join(" ");
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element "${id}".`);
  return found;
}

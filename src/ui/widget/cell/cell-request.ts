import type { CellSettings } from "../cell-runtime.js";
import { readSettings, type ReadSettings } from "../shared/read-settings.js";
import { setupIn } from "../shared/read-setup.js";
import { sessionOf } from "../shared/session-holders.js";

import { checksOf, codeOf, problemsOfChecks, readMarkup, setupsOf } from "./cell-markup.js";
import type { RunRequest } from "./cell-run.js";
import { withHidden, type CellShare, type PageCell, type PageCells } from "./page-cells.js";

/** A cell was asked to run whose attributes say something that means nothing. It says what, and did not run. */
export class CellMarkupError extends Error {
  override readonly name = "CellMarkupError";
  readonly code = "CELL_MARKUP";

  constructor(readonly problems: readonly string[]) {
    super(problems.join(" "));
  }
}

/** What a cell adds to those after it in its session, where it is hidden. */
export function shareOf(cell: Element): CellShare {
  const { settings, problems } = settingsIn(cell);
  const setup = setupOf(cell);
  const code = joined([setup.text, codeOf(readMarkup(cell).code)]);
  return { code, settings, problems: [...problems, ...setup.problems] };
}

/** A sentence for everything that keeps a cell from running. */
export function problemsOf(cell: PageCell, page: PageCells): string[] {
  const { settings, problems } = settingsIn(cell);
  const ofHidden = page.hiddenBefore(cell).flatMap((each) => each.problems);
  const others = settingsIn(page.firstOfSession(cell)).settings.trust;
  const ofTrust =
    others === settings.trust
      ? []
      : [
          `trust: the session "${settings.session ?? ""}" is ${others} by its first cell, and this one is ${settings.trust}.`,
        ];
  return [
    ...problems,
    ...setupOf(cell).problems,
    ...problemsOfChecks(checksOf(cell)),
    ...ofTrust,
    ...ofHidden.map((sentence) => `In a hidden cell of this session: ${sentence}`),
  ];
}

/** The same once it is to run: until then its code may be on its way. */
export function whyNotRun(cell: PageCell, page: PageCells): string[] {
  const problems = problemsOf(cell, page);
  return readMarkup(cell).code === null ? [...problems, "This cell has no code: put a <pre> into it."] : problems;
}

/** What `cell` asks of its interpreter, with what the hidden cells before it add. */
export function cellSettings(cell: PageCell, page: PageCells): CellSettings {
  return { ...withHidden(settingsIn(cell).settings, page.hiddenBefore(cell)), setup: setupOf(cell).text };
}

/** @param code - as the cell has it now. */
export function requestOf(
  cell: PageCell,
  page: PageCells,
  { code, name }: Pick<RunRequest, "code" | "name">,
): RunRequest {
  const before = page.hiddenBefore(cell).map((hidden) => hidden.code);
  return { settings: cellSettings(cell, page), code, before, checks: checksOf(cell), name };
}

/** The address of the demo with `code` in it; null where the cell names none. */
export function demoOf(cell: Element): string | null {
  return settingsIn(cell).demo;
}

function settingsIn(cell: Element): ReadSettings {
  const get = (name: string): string | null => cell.getAttribute(name);
  return readSettings(
    {
      session: sessionOf(cell),
      trust: get("trust"),
      deps: get("deps"),
      packages: get("packages"),
      files: get("files"),
      tools: get("tools"),
      timeout: get("timeout"),
      demo: get("demo"),
    },
    document.baseURI,
  );
}

function setupOf(cell: Element): { text: string; problems: readonly string[] } {
  const { text, problems } = setupIn(cell);
  return { text: joined([text, ...setupsOf(cell)]), problems };
}

function joined(codes: readonly string[]): string {
  return codes.filter((code) => code !== "").join("\n");
}

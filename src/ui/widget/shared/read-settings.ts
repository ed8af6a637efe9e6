import type { TrustLevel } from "../../../protocol/index.js";
import type { CellFile, CellSettings } from "../cell-runtime.js";

/** Those of a cell that say how its code runs, as they stand in the HTML. */
export const SETTINGS = ["session", "trust", "deps", "packages", "files", "tools", "timeout", "demo"] as const;

export type SettingsAttributes = Readonly<Record<(typeof SETTINGS)[number], string | null>>;

/** What the attributes of a cell come to. */
export interface ReadSettings {
  readonly settings: Omit<CellSettings, "setup">;
  /** Absolute; null where the cell has none. */
  readonly demo: string | null;
  /** A sentence for each value that means nothing. With one the cell must not run. */
  readonly problems: readonly string[];
}

/** Milliseconds that a run may take where the cell does not say. */
export const DEFAULT_TIMEOUT = 30_000;

const LEVELS: readonly TrustLevel[] = ["sandboxed", "isolated", "local"];

/** Timers of browsers go no further. */
const LONGEST_SECONDS = 2_147_483;

/** @param base - what addresses are relative to. */
export function readSettings(attributes: SettingsAttributes, base: string): ReadSettings {
  const problems: string[] = [];
  const reader = { base, problem: (text: string) => void problems.push(text) };
  const settings = {
    session: attributes.session,
    trust: readTrust(attributes.trust, reader),
    deps: words(attributes.deps).filter((each) => isRequirement(each, reader)),
    packages: words(attributes.packages).flatMap((each) => readFolder(each, reader)),
    files: readFiles(attributes.files, reader),
    tools: words(attributes.tools).flatMap((each) => readTool(each, reader)),
    timeout: readTimeout(attributes.timeout, reader),
  };
  return { settings, demo: readDemo(attributes.demo, reader), problems };
}

/** What an attribute says, without blanks around it; null where it says nothing. */
export function saidBy(element: Element, attribute: string): string | null {
  const value = element.getAttribute(attribute)?.trim() ?? "";
  return value === "" ? null : value;
}

/** Parts of a list as HTML writes them, `class` for instance. */
export function words(list: string | null): string[] {
  return (list ?? "").split(/\s/).filter((word) => word !== "");
}

interface Reader {
  readonly base: string;
  readonly problem: (text: string) => void;
}

function readTrust(value: string | null, { problem }: Reader): TrustLevel {
  const known = LEVELS.find((level) => level === (value ?? "sandboxed"));
  if (known === undefined) problem(`trust="${value ?? ""}" is no trust level: write sandboxed, isolated or local.`);
  return known ?? "sandboxed";
}

function readTimeout(value: string | null, { problem }: Reader): number | null {
  if (value === null) return DEFAULT_TIMEOUT;
  if (value === "none") return null;
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : 0;
  if (seconds > 0 && seconds <= LONGEST_SECONDS) return seconds * 1000;
  problem(`timeout="${value}" is no number of seconds: write one, or none for no limit.`);
  return DEFAULT_TIMEOUT;
}

function isRequirement(text: string, { problem }: Reader): boolean {
  const isOne = /^[A-Za-z\d]/.test(text);
  if (!isOne) problem(`deps: "${text}" is no package. Write each without blanks, numpy>=2 for instance.`);
  return isOne;
}

function readFolder(text: string, { base, problem }: Reader): string[] {
  const url = webAddress(text, base);
  if (url === null) {
    problem(`packages: "${text}" is no address of a folder.`);
    return [];
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return [url.href];
}

function readFiles(list: string | null, reader: Reader): CellFile[] {
  const found = new Map<string, CellFile>();
  for (const each of words(list)) {
    const file = readFile(each, reader);
    if (file === null) continue;
    const other = found.get(file.path);
    if (other !== undefined && other.url !== file.url) {
      reader.problem(`files: two of them would be ${file.path}. Name one of them, address=path.`);
    }
    found.set(file.path, file);
  }
  return [...found.values()];
}

/** `address`, or `address=path`. An address with a query may have "=" itself, so there the path must be named. */
function readFile(text: string, { base, problem }: Reader): CellFile | null {
  const cut = text.lastIndexOf("=");
  const url = webAddress(cut === -1 ? text : text.slice(0, cut), base);
  if (url === null) {
    problem(`files: "${text}" is no address of a file.`);
    return null;
  }
  const path = cut === -1 ? lastSegment(url) : text.slice(cut + 1);
  if (isWithinWorkspace(path)) return { url: url.href, path };
  problem(
    cut === -1
      ? `files: "${text}" has no file name. Write address=path.`
      : `files: "${path}" is no path within the workspace, data/orders.csv for instance.`,
  );
  return null;
}

function lastSegment({ pathname }: URL): string {
  const segment = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function isWithinWorkspace(path: string): boolean {
  return !path.includes("\\") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function readTool(text: string, { base, problem }: Reader): string[] {
  if (/^[A-Za-z_][\w-]*$/.test(text)) return [text];
  const url = webAddress(text, base);
  if (url !== null && /\.ya?ml$/.test(url.pathname)) return [url.href];
  problem(`tools: "${text}" is neither a name that this page may register nor the address of a .yaml file.`);
  return [];
}

function readDemo(value: string | null, { base, problem }: Reader): string | null {
  if (value === null) return null;
  const url = webAddress(value, base);
  if (url === null) problem(`demo="${value}" is no address.`);
  return url?.href ?? null;
}

/** Of the web: a link to `javascript:` would be a script of the page. */
export function webAddress(text: string, base: string): URL | null {
  const url = URL.canParse(text, base) ? new URL(text, base) : null;
  return url !== null && /^(?:https?|file):$/.test(url.protocol) ? url : null;
}

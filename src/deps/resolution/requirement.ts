import { satisfies, valid, validRange } from "@renovatebot/pep440";

import { canonicalName } from "../package-name.js";
import { ENVIRONMENT } from "../interpreter.js";

/** What a package needs: a line of `Requires-Dist` (PEP 508). */
export interface Requirement {
  /** Name, extras and versions, without the marker. */
  readonly text: string;
  /** Canonical. */
  readonly name: string;
  readonly extras: readonly string[];
  /** Empty for any version. */
  readonly versions: string;
  /** What has to hold for it to be needed; empty where it always is. */
  readonly marker: string;
}

/** Longer lines are read as far as this. */
const LONGEST = 1000;

/** Reads a requirement; null for what is none, or names an address. */
export function parseRequirement(line: string): Requirement | null {
  const [text = "", ...rest] = line.slice(0, LONGEST).split(";");
  const [, name, extras = "", versions = ""] =
    /^\s*([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)\s*(?:\[([^\]]*)\])?\s*([^@[]*)$/i.exec(text) ?? [];
  if (name === undefined) return null;
  // Old metadata has "name (>=2)".
  const range = versions.replaceAll(/[()\s]/g, "");
  if (range !== "" && !validRange(range)) return null;
  const names = extras.split(",").map((extra) => extra.trim());
  const wanted = names.filter((extra) => extra !== "").map(canonicalName);
  return {
    text: `${name}${wanted.length === 0 ? "" : `[${wanted.join(",")}]`}${range}`,
    name: canonicalName(name),
    extras: wanted,
    versions: range,
    marker: rest.join(";").trim(),
  };
}

/**
 * Whether an environment marker holds in this interpreter. One that cannot be understood does: what it is about may be needed.
 *
 * @param extras - the optional parts that are wanted.
 */
export function markerHolds(marker: string, extras: readonly string[]): boolean {
  if (marker === "") return true;
  const wanted = extras.length === 0 ? [""] : extras;
  try {
    return wanted.some((extra) => new MarkerReader(marker, { ...ENVIRONMENT, extra }).read());
  } catch (error) {
    if (error instanceof UnreadableMarker) return true;
    throw error;
  }
}

class UnreadableMarker extends Error {}

/** Evaluates a marker while it reads it. */
class MarkerReader {
  readonly #tokens: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  #at = 0;

  constructor(marker: string, environment: Readonly<Record<string, string>>) {
    this.#tokens = marker.match(/"[^"]*"|'[^']*'|[a-z_.]+|[()]|[<>=!~]+|\S/gi) ?? [];
    this.#environment = environment;
  }

  read(): boolean {
    const holds = this.#either();
    if (this.#at < this.#tokens.length) throw new UnreadableMarker();
    return holds;
  }

  #either(): boolean {
    let holds = this.#both();
    while (this.#take("or")) holds = this.#both() || holds;
    return holds;
  }

  #both(): boolean {
    let holds = this.#comparison();
    while (this.#take("and")) holds = this.#comparison() && holds;
    return holds;
  }

  #comparison(): boolean {
    if (this.#take("(")) {
      const holds = this.#either();
      if (!this.#take(")")) throw new UnreadableMarker();
      return holds;
    }
    const left = this.#operand();
    const isNegated = this.#take("not");
    const operator = this.#next();
    const right = this.#operand();
    if (operator === "in") return right.value.includes(left.value) !== isNegated;
    if (isNegated) throw new UnreadableMarker();
    const isExtra = left.name === "extra" || right.name === "extra";
    const [one, other] = isExtra ? [canonicalName(left.value), canonicalName(right.value)] : [left.value, right.value];
    return compare(one, operator, other);
  }

  #operand(): { readonly name: string; readonly value: string } {
    const token = this.#next();
    if (/^["']/.test(token)) return { name: "", value: token.slice(1, -1) };
    // Of old metadata: `os.name`, `platform.machine`.
    const name = token.replace(".", "_");
    const value = Object.hasOwn(this.#environment, name) ? this.#environment[name] : undefined;
    if (value === undefined) throw new UnreadableMarker();
    return { name, value };
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new UnreadableMarker();
    this.#at += 1;
    return token;
  }
}

/** Versions as versions, anything else as text. */
function compare(left: string, operator: string, right: string): boolean {
  if (valid(left) !== null && validRange(`${operator}${right}`)) {
    return satisfies(left, `${operator}${right}`, { prereleases: true });
  }
  switch (operator) {
    case "==":
    case "===":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    default:
      throw new UnreadableMarker();
  }
}

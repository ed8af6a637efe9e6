import { DepSpecError } from "./errors.js";

/** A requirement such as `requests[socks]>=2,<3`, normalised. */
export interface DepSpec {
  /** Lower case, `-` for `_`; there is one requirement per name. */
  readonly name: string;
  /** The whole of it, without spaces. */
  readonly text: string;
}

const MAX_LENGTH = 256;
const NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?/i;
const EXTRAS = /^\[[a-z0-9._-]+(?: *, *[a-z0-9._-]+)*\]/i;
const CLAUSE = /^(?:===|==|~=|!=|<=|>=|<|>) *[a-z0-9][a-z0-9.*!_-]*$/i;

/**
 * Names, extras and versions only: no URL, path or marker, and nothing that a
 * shell or an installer could read as something else.
 *
 * @throws {DepSpecError}
 */
export function parseDepSpec(spec: string): DepSpec {
  if (spec.trim() === "") throw new DepSpecError(spec, "it is empty");
  if (spec.length > MAX_LENGTH) throw new DepSpecError(spec, `it is longer than ${String(MAX_LENGTH)} characters`);
  const [name] = NAME.exec(spec) ?? [];
  if (name === undefined) throw new DepSpecError(spec, "it does not start with the name of a package");
  const afterName = spec.slice(name.length);
  const [extras = ""] = EXTRAS.exec(afterName) ?? [];
  const clauses = parseClauses(spec, afterName.slice(extras.length));
  const normalName = name.toLowerCase().replaceAll("_", "-");
  return { name: normalName, text: normalName + extras.replaceAll(" ", "") + clauses.join(",") };
}

function parseClauses(spec: string, text: string): string[] {
  if (text === "") return [];
  if (text.endsWith(" ")) throw new DepSpecError(spec, "it ends with a space");
  return text.split(",").map((part) => {
    const clause = part.replace(/^ +| +$/g, "");
    if (CLAUSE.test(clause)) return clause.replaceAll(" ", "");
    throw new DepSpecError(
      spec,
      `${JSON.stringify(clause)} is no version clause such as ">=2.0"; URLs, paths and markers are not accepted`,
    );
  });
}

import { OpenApiFault, type Located } from "./document.js";

/** A key of `paths`, taken apart. */
export interface RequestPath {
  /** Without query and fragment; `{name}` stands for a path parameter. */
  readonly path: string;
  /** What its query says. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Of its query, what a call says: `q` and `text` of `?q={text}`. */
  readonly asked: readonly (readonly [name: string, placeholder: string])[];
}

/**
 * Some documents tell operations at one address apart by a fragment, or by a part of the query.
 *
 * @throws {OpenApiFault} when no request can go there.
 */
export function readPath(whole: string, { pointer }: Located): RequestPath {
  const refuse = (reason: string): OpenApiFault =>
    new OpenApiFault(pointer, `the path '${whole}' cannot be used: ${reason}`);
  const [address = ""] = whole.split("#", 1);
  const mark = address.indexOf("?");
  const path = mark < 0 ? address : address.slice(0, mark);
  if (!path.startsWith("/")) throw refuse("it does not begin with /");
  if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, ""))) throw refuse("a { without its } or name");
  if (path.includes("\\")) throw refuse("it holds \\");
  if (path.startsWith("//") || path.split("/").some((part) => part === ".." || part === ".")) {
    throw refuse("it leads out of the server's address");
  }
  const query: (readonly [string, string])[] = [];
  const asked: (readonly [string, string])[] = [];
  for (const [name, value] of new URLSearchParams(mark < 0 ? "" : address.slice(mark))) {
    const placeholder = /^\{([^{}]+)\}$/.exec(value)?.[1];
    if (placeholder !== undefined) asked.push([name, placeholder]);
    else if (/[{}]/.test(name + value)) throw refuse("its query holds a { that is not the whole of a value");
    else query.push([name, value]);
  }
  return { path, query, asked };
}

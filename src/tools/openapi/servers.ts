import { baseUrlProblem } from "../http/index.js";
import { entries, items, member, OpenApiFault, text, type Located } from "./document.js";

/**
 * The address of the first server that a document, a path or an operation names, without a slash at its end; undefined
 * when it names none.
 *
 * @throws {OpenApiFault} when tools cannot be sent there.
 */
export function serverUrl(part: Located, documentUrl: string | undefined): string | undefined {
  const [server] = items(member(part, "servers"));
  if (server === undefined) return undefined;
  const variables = new Map(
    entries(member(server, "variables")).map(([name, variable]) => [name, text(member(variable, "default"))]),
  );
  const url = text(member(server, "url")).replace(
    /\{([^{}]*)\}/g,
    (reference, name: string) => variables.get(name) ?? reference,
  );
  const pointer = `${server.pointer}/url`;
  const refuse = (reason: string): OpenApiFault =>
    new OpenApiFault(pointer, `tools cannot be sent to '${url}': ${reason}. Give a \`base_url\``);
  if (/[{}]/.test(url)) throw refuse("one of its variables has no default");
  if (/^https?:/i.test(url)) return checked(url, refuse);
  // It is relative to where the document came from.
  if (documentUrl === undefined || !/^https?:/i.test(documentUrl))
    throw refuse("it is relative to the document, whose address is not known");
  if (!URL.canParse(url, documentUrl)) throw refuse("it is not a URL");
  return checked(new URL(url, documentUrl).href, refuse);
}

function checked(url: string, refuse: (reason: string) => OpenApiFault): string {
  const reason = baseUrlProblem(url);
  if (reason !== undefined) throw refuse(reason);
  return url.replace(/\/+$/, "");
}

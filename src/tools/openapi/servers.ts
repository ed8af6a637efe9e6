import { baseUrlProblem } from "../http/index.js";
import { isPath } from "../requests/request-route.js";
import { entries, items, member, OpenApiFault, text, type Located } from "./document.js";

/** The address of a document, and what its importer can say of its server. */
export interface DocumentAddress {
  /** A whole address, or a path of the page's own site; undefined where it is not known. */
  readonly url: string | undefined;
  readonly pageUrl: string | undefined;
  /** The setting that names another server, as it is written there. */
  readonly option: "baseUrl" | "base_url";
}

/**
 * The address of the first server that a document, a path or an operation names, without a slash at its end; undefined
 * when it names none. Of a document of the page's own site that was named by path, a relative one is a path, too.
 *
 * @throws {OpenApiFault} when tools cannot be sent there.
 */
export function serverUrl(part: Located, address: DocumentAddress): string | undefined {
  const [server] = items(member(part, "servers"));
  if (server === undefined) return undefined;
  const variables = new Map(
    entries(member(server, "variables")).map(([name, variable]) => [name, text(member(variable, "default"))]),
  );
  const url = text(member(server, "url")).replace(
    /\{([^{}]*)\}/g,
    (reference, name: string) => variables.get(name) ?? reference,
  );
  const refuse = (reason: string, remedy = `Give a \`${address.option}\``): OpenApiFault =>
    new OpenApiFault(`${server.pointer}/url`, `tools cannot be sent to '${url}': ${reason}. ${remedy}`);
  if (/[{}]/.test(url)) throw refuse("one of its variables has no default");
  const whole = isPath(url) ? besideDocument(url, address, refuse) : url;
  const reason = baseUrlProblem(whole);
  if (reason !== undefined) throw refuse(reason);
  const own = ownSiteProblem(whole, address);
  if (own !== undefined) throw refuse(own.reason, own.remedy);
  return whole.replace(/\/+$/, "");
}

/** Where a service is of which its document names no server: at the root of where the document came from. */
export function rootOf({ url }: DocumentAddress): string | undefined {
  if (url === undefined) return undefined;
  return isPath(url) ? "" : new URL(url).origin;
}

/** Why an address that names the page's own site by its host is refused, and what to write; undefined for any other. */
export function ownSiteProblem(
  url: string,
  { pageUrl, option }: Pick<DocumentAddress, "pageUrl" | "option">,
): { readonly reason: string; readonly remedy: string } | undefined {
  if (isPath(url) || pageUrl === undefined) return undefined;
  const { origin, pathname } = new URL(url);
  if (new URL(pageUrl).origin !== origin) return undefined;
  return {
    reason: "it names the page's own site by its host",
    remedy: `Write \`${option}\` as a path, such as \`${pathname}\``,
  };
}

function besideDocument(url: string, address: DocumentAddress, refuse: (reason: string) => OpenApiFault): string {
  if (address.url === undefined || !URL.canParse(address.url, address.pageUrl))
    throw refuse("it is relative to the document, whose address is not known");
  const document = new URL(address.url, address.pageUrl);
  if (!URL.canParse(url, document)) throw refuse("it is not a URL");
  const { href, origin, pathname, search, hash } = new URL(url, document);
  return isPath(address.url) && origin === document.origin ? pathname + search + hash : href;
}

import { HostNotAllowedError } from "../errors.js";

export interface RequestRoute {
  readonly toolName: string;
  /** The definition gave a path of the page's own site, and the target is below it. */
  readonly byPath: boolean;
  readonly pageUrl: string | undefined;
  readonly allowedHosts: readonly string[] | undefined;
  readonly proxy: string | undefined;
  /** How the page's own site is named by path: "Write `url` as a path, such as `../mcp`". */
  readonly byPathHint: string;
}

/**
 * Where a request really goes, once it is clear that it may.
 *
 * @throws {HostNotAllowedError} with nothing sent.
 */
export function routeRequest(target: URL, route: RequestRoute): string {
  const { toolName, byPath, pageUrl, allowedHosts, proxy, byPathHint } = route;
  const page = pageUrl === undefined ? undefined : new URL(pageUrl);
  if (byPath && target.origin === page?.origin) return target.href;
  if (target.origin === page?.origin) {
    throw new HostNotAllowedError(
      toolName,
      target.host,
      `it names the page's own site, ${target.origin}, by its host. ${byPathHint}`,
    );
  }
  if (allowedHosts !== undefined && !allowedHosts.some((pattern) => matchesHost(pattern, target))) {
    throw new HostNotAllowedError(
      toolName,
      target.host,
      `the host ${target.host} is not among those that this session may talk to (${allowedHosts.join(", ") || "none"})`,
    );
  }
  return proxy === undefined || proxy === "" ? target.href : throughProxy(proxy, target.href);
}

/** The address of this page; undefined outside of one. */
export function pageAddress(): string | undefined {
  return "location" in globalThis ? globalThis.location.href : undefined;
}

/** The hosts of addresses, a path's being the page's own; undefined where one is not known, as where a secret completes it. */
export function hostsOf(addresses: readonly string[], page: string | undefined): readonly string[] | undefined {
  const hosts = new Set<string>();
  for (const address of addresses) {
    const host = URL.canParse(address, page) ? new URL(address, page).host : "";
    if (host === "" || host.includes("$")) return undefined;
    hosts.add(host);
  }
  return hosts.size === 0 ? undefined : [...hosts];
}

export function isPath(url: string): boolean {
  return !/^https?:/i.test(url);
}

export function matchesHost(pattern: string, { host, hostname }: URL): boolean {
  const wanted = pattern.toLowerCase();
  if (wanted.startsWith("*.")) return hostname.endsWith(wanted.slice(1));
  return wanted === host || wanted === hostname;
}

/** The address of a target behind a proxy. */
export function throughProxy(proxy: string, target: string): string {
  if (proxy.includes("{url}")) return proxy.replaceAll("{url}", () => encodeURIComponent(target));
  return proxy + (proxy.endsWith("=") ? encodeURIComponent(target) : target);
}

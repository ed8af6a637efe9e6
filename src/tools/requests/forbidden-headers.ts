/** The Fetch standard's forbidden request headers: a browser drops them in silence. */
const forbidden = new Set([
  "accept-charset",
  "accept-encoding",
  "access-control-request-headers",
  "access-control-request-method",
  "access-control-request-private-network",
  "connection",
  "content-length",
  "cookie",
  "cookie2",
  "date",
  "dnt",
  "expect",
  "host",
  "keep-alive",
  "origin",
  "referer",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);

/** Why a tool cannot send a header; undefined when it can. */
export function forbiddenHeaderReason(name: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return "it is not the name of a header";
  const lower = name.toLowerCase();
  if (!forbidden.has(lower) && !lower.startsWith("proxy-") && !lower.startsWith("sec-")) return undefined;
  return `a browser does not let a page send the header ${name}`;
}

/** A server that the agent may ask, or a sentence on why it may not. */
export type ModelAddress =
  | { readonly kind: "usable"; readonly url: string }
  | { readonly kind: "refused"; readonly reason: string };

export interface AddressOptions {
  /** What the address is relative to. Default: it has to be a whole one. */
  readonly base?: string;
  /** The page came over https, and browsers let it ask no server by http but one of this machine. */
  readonly isSecure: boolean;
}

const OF_THIS_MACHINE = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Reads the base URL of a server. One address is always written in the same way: a key is kept for it. */
export function readModelAddress(text: string, { base, isSecure }: AddressOptions): ModelAddress {
  const url = URL.canParse(text.trim(), base) ? new URL(text.trim(), base) : null;
  if (url === null) return refused("it is no address such as https://api.example.org/v1.");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refused(`it begins with ${url.protocol} where https: is wanted.`);
  }
  if (url.username !== "" || url.password !== "") {
    return refused("it has a user name or password in it, which browsers do not send.");
  }
  if (url.search !== "" || url.hash !== "") return refused("it has a ? or # in it, and the names of calls follow it.");
  if (isSecure && url.protocol === "http:" && !OF_THIS_MACHINE.has(url.hostname)) {
    return refused(`this page came over https, and ${url.host} by http would be open to others on the way.`);
  }
  return { kind: "usable", url: withoutSlashes(url.href) };
}

/** Of an address that was read before. */
export function hostOf(address: string): string {
  return new URL(address).host;
}

export function isSecurePage(): boolean {
  return location.protocol === "https:";
}

function refused(reason: string): ModelAddress {
  return { kind: "refused", reason };
}

function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}

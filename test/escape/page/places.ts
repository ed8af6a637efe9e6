import { markOf, slugOf, type Attempt, type Place } from "../attempts/index.js";

/** What the address of the page says about the listeners. */
export interface Setting {
  readonly port: number;
  /** By attempt: its TCP port, then its UDP port. */
  readonly ownPorts: ReadonlyMap<string, readonly [raw: number, udp: number]>;
  readonly secret: string;
}

export function readSetting(): Setting {
  const query = new URLSearchParams(location.search);
  const ownPorts = query.getAll("own").map((own) => {
    const [slug = "", raw, udp] = own.split(":");
    return [slug, [Number(raw), Number(udp)]] as const;
  });
  return { port: Number(query.get("port")), ownPorts: new Map(ownPorts), secret: query.get("secret") ?? "" };
}

/** The attempt's own addresses, so that a listener knows whose bytes it heard. */
export function placeOf(attempt: Attempt, { port, ownPorts, secret }: Setting): Place {
  const slug = slugOf(attempt);
  const [rawPort, udpPort] = ownPorts.get(slug) ?? [0, 0];
  return {
    url: `http://127.0.0.1:${String(port)}/${slug}`,
    ownUrl: `${location.origin}/target/${slug}`,
    namedUrl: `http://${secret}.localhost:${String(port)}/${slug}`,
    webSocketUrl: `ws://127.0.0.1:${String(port)}/${slug}`,
    rawPort,
    udpPort,
    mark: markOf(attempt),
    heldLock: `held ${markOf(attempt)}`,
    pageOrigin: location.origin,
  };
}

import { slugOf, type Attempt, type Place } from "../attempts/index.js";

/** What the address of the page says about the listeners. */
export interface Setting {
  readonly port: number;
  readonly rawPort: number;
  readonly udpPort: number;
  readonly secret: string;
}

export function readSetting(): Setting {
  const query = new URLSearchParams(location.search);
  const number = (name: string): number => Number(query.get(name));
  return {
    port: number("port"),
    rawPort: number("rawPort"),
    udpPort: number("udpPort"),
    secret: query.get("secret") ?? "",
  };
}

/** The attempt's own addresses, so that a listener knows whose bytes it heard. */
export function placeOf(attempt: Attempt, { port, rawPort, udpPort, secret }: Setting): Place {
  const slug = slugOf(attempt);
  return {
    url: `http://127.0.0.1:${String(port)}/${slug}`,
    ownUrl: `${location.origin}/target/${slug}`,
    namedUrl: `http://${secret}.localhost:${String(port)}/${slug}`,
    webSocketUrl: `ws://127.0.0.1:${String(port)}/${slug}`,
    rawPort,
    udpPort,
    pageOrigin: location.origin,
  };
}

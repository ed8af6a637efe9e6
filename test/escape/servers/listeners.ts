import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** Something that a listener heard. */
export interface Arrival {
  /** The attempt that the path names; null where bytes carry no name. */
  readonly slug: string | null;
  /** What it was, for a report. */
  readonly what: string;
  readonly bytes: number;
}

/** Servers of the test's own that count what arrives, whatever it is. All on 127.0.0.1 and free ports. */
export interface Listeners {
  readonly port: number;
  readonly rawPort: number;
  readonly udpPort: number;
  /** Connections to the raw port, of whatever kind. */
  connects(): number;
  /** Of the connections from number `from` on, those that sent nothing. */
  bareConnectsSince(from: number): number;
  readonly arrivals: readonly Arrival[];
  /**
   * Resolves with the first arrival from `from` on that belongs to the attempt, or
   * with `unnamed` to none; null after `limit` milliseconds.
   */
  heard(slug: string, options: { from: number; unnamed: boolean; limit: number }): Promise<Arrival | null>;
  /** For other servers of the test that hear of an attempt. */
  note(arrival: Arrival): void;
  close(): Promise<void>;
}

/** Paths that the harness asks for to see that a listener listens. */
const ALIVE = "/alive";

export async function startListeners(): Promise<Listeners> {
  const arrivals: Arrival[] = [];
  const waiting = new Set<() => void>();
  const note = (arrival: Arrival): void => {
    arrivals.push(arrival);
    for (const look of waiting) look();
  };

  const http = createHttpServer((request, response) => {
    const path = request.url ?? "/";
    if (path !== ALIVE) note({ slug: slugOfPath(path), what: `${request.method ?? ""} ${path}`, bytes: path.length });
    request.resume();
    // 204: a navigation that comes through leaves the page where it is.
    response.writeHead(204, {
      "Access-Control-Allow-Origin": request.headers.origin ?? "*",
      "Access-Control-Allow-Credentials": "true",
      "Access-Control-Allow-Headers": "*, content-type",
      "Access-Control-Allow-Private-Network": "true",
    });
    response.end();
  });
  http.on("upgrade", (request, socket) => {
    note({ slug: slugOfPath(request.url ?? "/"), what: `upgrade ${request.url ?? ""}`, bytes: 1 });
    socket.destroy();
  });
  http.on("clientError", (error: Error & { rawPacket?: Buffer }, socket) => {
    // A connection that is reset, or idle for too long, is told of here too.
    const bytes = error.rawPacket?.length ?? 0;
    if (bytes > 0) note({ slug: null, what: "bytes that are no HTTP", bytes });
    socket.destroy();
  });

  const connects: { sent: boolean }[] = [];
  const sockets = new Set<Socket>();
  const raw = createServer((socket) => {
    sockets.add(socket);
    const connect = { sent: false };
    connects.push(connect);
    socket.on("data", (data) => {
      connect.sent = true;
      note({
        slug: null,
        what: `raw TCP ${data
          .subarray(0, 24)
          .toString("latin1")
          .replaceAll(/[^ -~]/g, ".")}`,
        bytes: data.length,
      });
      socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });

  const udp = createSocket("udp4");
  udp.on("message", (data) => {
    note({ slug: null, what: `UDP, first byte ${String(data[0])}`, bytes: data.length });
  });

  await Promise.all([
    new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve)),
    new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve)),
    bind(udp),
  ]);
  return {
    port: portOf(http.address()),
    rawPort: portOf(raw.address()),
    udpPort: udp.address().port,
    connects: () => connects.length,
    bareConnectsSince: (from) => connects.slice(from).filter(({ sent }) => !sent).length,
    arrivals,
    note,
    heard: (slug, { from, unnamed, limit }) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = arrivals.slice(from).find((arrival) => arrival.slug === (unnamed ? null : slug));
          if (found !== undefined) finish(found);
        };
        const finish = (found: Arrival | null): void => {
          waiting.delete(look);
          clearTimeout(timer);
          resolve(found);
        };
        const timer = setTimeout(() => {
          finish(null);
        }, limit);
        waiting.add(look);
        look();
      }),
    close: async () => {
      http.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      udp.close();
      await Promise.all([new Promise((resolve) => http.close(resolve)), new Promise((resolve) => raw.close(resolve))]);
    },
  };
}

/** `/<attempt>` and everything below it. */
export function slugOfPath(path: string): string {
  return /^\/([a-z0-9-]*)/.exec(path)?.[1] ?? "";
}

function bind(socket: UdpSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.bind(0, "127.0.0.1", resolve);
  });
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Something that a listener heard. */
export interface Arrival {
  /** The attempt that the path or the port names; null where neither does. */
  readonly slug: string | null;
  /** What it was, for a report. */
  readonly what: string;
  readonly bytes: number;
}

/** A connection to a port of an attempt's own, of whatever kind. */
export interface Connect {
  readonly slug: string;
  readonly sent: boolean;
}

/** Ports that only count what comes. */
export interface OwnPorts {
  readonly rawPort: number;
  readonly udpPort: number;
}

/** Servers of the test's own that count what arrives, whatever it is. All on 127.0.0.1 and free ports. */
export interface Listeners {
  readonly port: number;
  /** By attempt. */
  readonly ownPorts: ReadonlyMap<string, OwnPorts>;
  readonly connects: readonly Connect[];
  readonly arrivals: readonly Arrival[];
  /** What probes of engines have caused. */
  readonly probed: ReadonlySet<string>;
  /** For other servers of the test that hear of an attempt. */
  note(arrival: Arrival): void;
  close(): Promise<void>;
}

/** Paths that the harness asks for to see that a listener listens. */
const ALIVE = "/alive";

/** @param slugs - the attempts that need ports of their own. */
export async function startListeners(slugs: readonly string[]): Promise<Listeners> {
  const arrivals: Arrival[] = [];
  const probed = new Set<string>();
  const note = (arrival: Arrival): void => {
    arrivals.push(arrival);
  };

  const http = createHttpServer((request, response) => {
    const path = request.url ?? "/";
    const probe = /^\/probe\/([\w-]+)/.exec(path)?.[1];
    if (probe !== undefined) probed.add(probe);
    else if (path !== ALIVE)
      note({ slug: slugOfPath(path), what: `${request.method ?? ""} ${path}`, bytes: path.length });
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

  const connects: { readonly slug: string; sent: boolean }[] = [];
  const sockets = new Set<Socket>();
  const rawServer = (slug: string): Server =>
    createServer((socket) => {
      sockets.add(socket);
      const connect = { slug, sent: false };
      connects.push(connect);
      socket.on("data", (data) => {
        connect.sent = true;
        note({
          slug,
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
  const udpSocket = (slug: string): UdpSocket =>
    createSocket("udp4").on("message", (data) => {
      note({ slug, what: `UDP, first byte ${String(data[0])}`, bytes: data.length });
    });
  const own = slugs.map((slug) => ({ slug, raw: rawServer(slug), udp: udpSocket(slug) }));

  await Promise.all([listen(http), ...own.flatMap(({ raw, udp }) => [listen(raw), bind(udp)])]);
  return {
    port: portOf(http.address()),
    ownPorts: new Map(
      own.map(({ slug, raw, udp }) => [slug, { rawPort: portOf(raw.address()), udpPort: udp.address().port }]),
    ),
    connects,
    arrivals,
    probed,
    note,
    close: async () => {
      http.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      for (const { udp } of own) udp.close();
      const servers = [http, ...own.map(({ raw }) => raw)];
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
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

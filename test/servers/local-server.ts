import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LocalServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Ends what is open, too. Closing twice is fine. */
  readonly close: () => Promise<void>;
  /** Listens again, at the same port, once it was closed. */
  readonly reopen: () => Promise<void>;
}

/** Listens on 127.0.0.1, at a port that is free. */
export async function startLocalServer(answer: RequestListener): Promise<LocalServer> {
  const server = createServer(answer);
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    close: () => close(server),
    reopen: () => listen(server, port),
  };
}

/** Any page may read the answer, whatever it sent with its request and whatever header it is interested in. */
export function allowEveryPage(response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "*, authorization");
  response.setHeader("access-control-allow-methods", "*");
  response.setHeader("access-control-expose-headers", "*");
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Lets the suite's processes do one after the other what takes the whole machine. */
export interface Turns {
  readonly port: number;
  close(): Promise<void>;
}

export async function startTurns(): Promise<Turns> {
  const waiting: Socket[] = [];
  let current: Socket | undefined;
  const next = (): void => {
    current = waiting.shift();
    current?.write("go");
  };
  const server = createServer((socket) => {
    // A process that dies resets its connection, which ends its turn as well.
    socket.on("error", () => undefined);
    socket.once("close", () => {
      const at = waiting.indexOf(socket);
      if (at >= 0) waiting.splice(at, 1);
      if (socket === current) next();
    });
    socket.resume();
    waiting.push(socket);
    if (current === undefined) next();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

/** Does something while no other process does, which connects to the same port for it. */
export async function inTurn<Result>(port: number, act: () => Promise<Result>): Promise<Result> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "data");
    return await act();
  } finally {
    socket.destroy();
  }
}

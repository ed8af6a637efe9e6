/** Serves the port that comes with the first message. It is the only way to the worker. */
export function serveFirstPort(serve: (port: MessagePort) => void): void {
  self.addEventListener(
    "message",
    (event: MessageEvent) => {
      const port = event.ports[0];
      if (port !== undefined) serve(port);
    },
    { once: true },
  );
}

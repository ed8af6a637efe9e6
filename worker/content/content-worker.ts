import type { ContentAnswer, ContentFinding, ContentOrder } from "../../src/protocol/index.js";
import { lookInto } from "./look-into.js";

self.addEventListener(
  "message",
  (event: MessageEvent) => {
    const port = event.ports[0];
    if (port !== undefined) serve(port);
  },
  { once: true },
);

function serve(port: MessagePort): void {
  const tell = (answer: ContentAnswer): void => {
    port.postMessage(answer);
  };
  port.onmessage = ({ data }: MessageEvent<ContentOrder>) => {
    void lookInto(data).then((finding: ContentFinding) => tell({ kind: "checked", id: data.id, finding }));
  };
  tell({ kind: "ready" });
}

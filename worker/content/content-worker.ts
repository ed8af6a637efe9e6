import type { ContentAnswer, ContentFinding, ContentOrder } from "../../src/protocol/index.js";
import { serveFirstPort } from "../first-port.js";
import { lookInto } from "./look-into.js";

serveFirstPort(serve);

function serve(port: MessagePort): void {
  const tell = (answer: ContentAnswer): void => {
    port.postMessage(answer);
  };
  port.onmessage = ({ data }: MessageEvent<ContentOrder>) => {
    void lookInto(data).then((finding: ContentFinding) => tell({ kind: "checked", id: data.id, finding }));
  };
  tell({ kind: "ready" });
}

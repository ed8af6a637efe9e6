import type { ChartAnswer, ChartOrder } from "../../src/protocol/index.js";
import { drawChart } from "./draw-chart.js";

self.addEventListener(
  "message",
  (event: MessageEvent) => {
    const port = event.ports[0];
    if (port !== undefined) serve(port);
  },
  { once: true },
);

function serve(port: MessagePort): void {
  const tell = (answer: ChartAnswer): void => {
    port.postMessage(answer);
  };
  port.onmessage = ({ data }: MessageEvent<ChartOrder>) => {
    void drawChart(data, (facts) => {
      tell({ kind: "read", facts });
    }).then(tell);
  };
  tell({ kind: "ready" });
}

import type { ChartAnswer, ChartOrder } from "../../src/protocol/index.js";
import { serveFirstPort } from "../first-port.js";
import { drawChart } from "./draw-chart.js";

serveFirstPort(serve);

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

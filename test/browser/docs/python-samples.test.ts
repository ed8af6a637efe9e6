import { expect, test } from "vitest";

import chart from "../../../docs/samples/chart.py?raw";
import { OutputView } from "../../../src/ui/components/content/output-view.js";
import { OutputLog } from "../../../src/ui/state/text/output-log.js";
import { ChartView } from "../../../src/ui/components/content/chart-view.js";
import { openSession } from "../session/hosts.js";

test("the object of docs/python.md is shown as a chart", async () => {
  const session = await openSession();
  const output = new OutputView();
  output.output = new OutputLog();

  const { outputs, error } = await session.run(chart);
  await session.close();
  for (const shown of outputs) output.output.add(shown);
  document.body.append(output);
  await output.updateComplete;
  const view = output.querySelector("vitrine-app-chart");
  if (view instanceof ChartView) await view.updateComplete;

  expect(error).toBeNull();
  expect(outputs.map(({ data }) => Object.keys(data))).toEqual([["application/vnd.vegalite.v5+json", "text/plain"]]);
  expect(output.querySelector("iframe")?.title).toBe("Rain by month");
  output.remove();
});

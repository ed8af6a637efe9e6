import { render } from "lit";
import { afterEach, expect, test, vi } from "vitest";

import { signalSummary } from "../../../src/ui/components/task/answer-notes.js";
import { OutputView } from "../../../src/ui/components/content/output-view.js";
import { OutputLog } from "../../../src/ui/state/text/output-log.js";
import { untilShown } from "../../timeouts.mjs";

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test("a flood of outputs is drawn in part and counted, and what is drawn keeps its elements while more comes", async () => {
  const view = new OutputView();
  const output = new OutputLog();
  const flood = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) output.add({ kind: "signal", type: "explore", message: String(index) });
    view.version += 1;
    await view.updateComplete;
  };
  view.output = output;
  document.body.append(view);
  await flood(10_000);
  const drawn = [...view.querySelectorAll(".signal")];
  expect(drawn).toHaveLength(300);
  expect(view.textContent).toContain("… 9,700 earlier outputs not shown");

  await flood(1);

  const after = [...view.querySelectorAll(".signal")];
  expect(after.slice(0, -1).every((element, index) => element === drawn[index + 1])).toBe(true);
  expect(drawn[0]?.isConnected).toBe(false);
  expect(view.textContent).toContain("… 9,701 earlier outputs not shown");
});

test("a summary of very many signals draws the first ones, and counts them all", () => {
  const signals = Array.from({ length: 5000 }, () => ({ step: 1, type: "explore", message: "" }) as const);

  render(signalSummary(signals), document.body);

  expect(document.querySelector("summary")?.textContent).toBe("5,000 signals on the way");
  expect(document.querySelectorAll("li")).toHaveLength(201);
  expect(document.querySelector("li:last-child")?.textContent).toBe("4,800 more signals not shown");
});

test("a picture is drawn from its bytes and from its base64, and what is none is not", async () => {
  const pixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const view = new OutputView();
  view.output = new OutputLog();
  const show = (content: string | Uint8Array<ArrayBuffer>): void => {
    view.output?.add({ kind: "display", source: "display", data: { "image/gif": content } });
  };
  show(Uint8Array.from(atob(pixel), (letter) => letter.charCodeAt(0)));
  show(`${pixel.slice(0, 20)}\n${pixel.slice(20)}`);
  show("R0lGODlh!");
  show("no picture");

  document.body.append(view);

  await vi.waitFor(() => {
    expect([...view.querySelectorAll("img")].map(({ src }) => src)).toEqual(
      Array(2).fill(`data:image/gif;base64,${pixel}`),
    );
    expect(view.textContent.match(/cannot be drawn here: image\/gif/g)).toHaveLength(2);
  }, untilShown);
});

test("of texts of very many lines a part is drawn: of output its end, of others their beginning", async () => {
  const view = new OutputView();
  view.output = new OutputLog();
  const lines = Array.from({ length: 30_000 }, (_, index) => String(index)).join("\n");
  view.output.add({ kind: "stdout", text: lines });
  view.output.add({ kind: "display", source: "display", data: { "text/plain": lines } });

  document.body.append(view);
  await view.updateComplete;

  const [output, shown] = [...view.querySelectorAll("pre")].map(({ textContent }) => textContent);
  expect(output).toMatch(/earlier characters not shown/);
  expect(output?.trimEnd().endsWith("\n29999")).toBe(true);
  expect(output?.split("\n").length).toBeLessThan(2100);
  expect(shown?.startsWith("0\n1\n")).toBe(true);
  expect(shown).toMatch(/more characters not shown$/);
  expect(shown?.split("\n").length).toBeLessThan(1100);
});

test("a large picture is made an address beside the page, once", async () => {
  const bytes = new Uint8Array(2_000_000);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]);
  const byHand = vi.spyOn(globalThis, "btoa");
  const reading = vi.spyOn(FileReader.prototype, "readAsDataURL");
  const view = new OutputView();
  view.output = new OutputLog();
  view.output.add({ kind: "display", source: "display", data: { "image/png": bytes } });
  document.body.append(view);

  await vi.waitFor(() => {
    expect(view.querySelector("img")?.src).toMatch(/^data:image\/png;base64,iVBORw0K/);
  }, untilShown);
  view.version += 1;
  await view.updateComplete;

  expect(byHand).not.toHaveBeenCalled();
  expect(reading).toHaveBeenCalledOnce();
});

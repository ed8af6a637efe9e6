import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { z } from "zod";

import { cacheResults, functionTool, memoryStorage, retryCalls, Session } from "../../../src/index.js";
import { TracePanel } from "../../../src/ui/components/shelf/trace-panel.js";
import "../../../src/ui/styles/tokens.css";
import "../../../src/ui/styles/basics.css";
import "../../../src/ui/styles/controls.css";
import "../../../src/ui/styles/page.css";
import "../../../src/ui/styles/transcript.css";
import "../../../src/ui/styles/shelf.css";
import { untilShown } from "../../timeouts.mjs";

let tries = 0;
let letGo: (() => void)[] = [];
const nothing = z.object({});

const tools = [
  functionTool({
    name: "read",
    description: "Reads",
    input: nothing,
    hints: { readOnly: true },
    run: () => "read",
  }),
  functionTool({
    name: "flaky",
    description: "Works the third time",
    input: nothing,
    hints: { idempotent: true },
    run: () => {
      tries += 1;
      if (tries % 3 !== 0) throw new Error("not yet");
      return "done";
    },
  }),
  functionTool({
    name: "hold",
    description: "Waits until the test lets it go",
    input: z.object({ name: z.string() }),
    run: ({ name }) =>
      new Promise<string>((resolve) => {
        letGo.push(() => {
          resolve(name);
        });
      }),
  }),
];

let session: Session;
let panel: TracePanel;

beforeAll(async () => {
  session = await Session.open({
    storage: memoryStorage(),
    trust: "sandboxed",
    tools,
    limits: { concurrentCalls: 1 },
    middleware: [cacheResults(), retryCalls({ delay: 0 })],
  });
});
afterAll(() => session.close());

beforeEach(() => {
  letGo = [];
  panel = new TracePanel();
  panel.app = {
    session: {
      open: () => Promise.resolve(session),
      onCall: (listener) => session.onCall(listener),
      onCallProgress: (listener) => session.onCallProgress(listener),
    },
  };
  document.body.append(panel);
});
afterEach(() => {
  panel.remove();
});

const row = (name: RegExp) => page.getByRole("button", { name });

test("a call whose result is one of an earlier call is marked, and says so when it is opened", async () => {
  await session.run("tools.read(); tools.read()");

  await expect.element(row(/^done: cached tools\.read\(\)/)).toBeVisible();
  await expect.element(row(/^done: tools\.read\(\)/)).toBeVisible();
  await userEvent.click(row(/cached/));
  await expect
    .element(page.getByText(/The result is that of an earlier call, .* old; nothing was called/))
    .toBeVisible();
});

test("a call that was tried again has its number of tries, and each failure when it is opened", async () => {
  await session.run("tools.flaky()");

  await userEvent.click(row(/^done: 3 tries tools\.flaky\(\)/));

  await expect.element(page.getByText("It was tried 3 times.")).toBeVisible();
  expect(page.getByText(/^Failed: .*not yet/).elements()).toHaveLength(2);
});

test("a call that waits for a place is queued, and its row says how long it was when it is through", async () => {
  const running = session.run(
    "import asyncio\nawait asyncio.gather(*(tools.hold.call_async(name=n) for n in ['a', 'b']))",
  );

  await expect.element(row(/^running: tools\.hold\(name="a"\)/)).toBeVisible();
  await expect.element(row(/^queued: tools\.hold\(name="b"\) queued$/)).toBeVisible();
  await expect.poll(() => letGo.length).toBe(1);
  letGo[0]?.();
  await expect.poll(() => letGo.length).toBe(2);
  letGo[1]?.();
  await running;

  await expect.element(row(/^done: queued [\d.< ]+(ms|s) tools\.hold\(name="b"\)/)).toBeVisible();
  await userEvent.click(row(/^done: queued/));
  await expect.element(page.getByText(/^It waited .* for other calls to end\.$/)).toBeVisible();
});

test("of many calls the newest three hundred are drawn, some in each frame", async () => {
  // While it is shown, a part of them would be drawn before they are counted.
  panel.remove();
  await session.run("for _ in range(400): tools.read()");
  let most = 0;
  let before = panel.querySelectorAll(".trace-row").length;
  const observer = new MutationObserver(() => {
    const drawn = panel.querySelectorAll(".trace-row").length;
    most = Math.max(most, drawn - before);
    before = drawn;
  });
  observer.observe(panel, { childList: true, subtree: true });

  document.body.append(panel);

  await expect.poll(() => panel.querySelectorAll(".trace-row").length, untilShown).toBe(300);
  observer.disconnect();
  expect(most).toBeLessThan(150);
  await expect.element(page.getByText("The newest 300; the export has all.")).toBeVisible();
});

test("by keyboard alone it is filtered by name and status, and gone through", async () => {
  await session.run("tools.read()");
  await session.run("try:\n    tools.read(no=1)\nexcept Exception: pass");
  await expect.element(row(/^failed: tools\.read\(no=1\)/)).toBeVisible();
  const shown = (): (string | null)[] => [...panel.querySelectorAll(".call code")].map((code) => code.textContent);

  await userEvent.tab();
  await userEvent.tab();
  await expect.element(page.getByRole("searchbox", { name: "Text of the call" })).toHaveFocus();
  await userEvent.keyboard("tools.read");
  await expect.poll(() => shown().every((text) => text?.includes("tools.read"))).toBe(true);
  expect(shown().length).toBeGreaterThan(2);
  await userEvent.tab();
  await expect.element(page.getByRole("combobox", { name: "Status" })).toHaveFocus();
  // A letter chooses in a list that has the focus.
  await userEvent.keyboard("F");
  await expect.poll(shown).toEqual(["tools.read(no=1)"]);
  await expect.element(page.getByRole("status")).toHaveTextContent(/^1 call of \d+$/);
  await userEvent.tab();
  await userEvent.tab();
  await expect.element(row(/^failed: tools\.read\(no=1\)/)).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText(/^ToolArgumentError: /)).toBeVisible();
});

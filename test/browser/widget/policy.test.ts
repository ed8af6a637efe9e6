import { afterEach, expect, test, vi } from "vitest";

import type { openEditor } from "../../../src/ui/widget/editor/index.js";
import { untilShown } from "../../timeouts.mjs";

afterEach(() => {
  document.body.replaceChildren();
});

/** A page with a policy, in a frame of this one. */
async function pageWith(policy: string, script: string): Promise<{ frame: Window; refused: string[] }> {
  const element = document.createElement("iframe");
  element.style.cssText = "inline-size: 700px; block-size: 500px; border: 0";
  element.srcdoc = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><body></body>`;
  document.body.append(element);
  await new Promise((resolve) => {
    element.addEventListener("load", resolve, { once: true });
  });
  const frame = element.contentWindow;
  if (frame === null) throw new Error("The frame is in the page.");
  const refused: string[] = [];
  frame.document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
    refused.push(`${violatedDirective} ${blockedURI} ${sample}`);
  });
  // Vitest writes it around `import()`, and gives it to its own page alone.
  Reflect.set(frame, "__vitest_browser_runner__", { wrapDynamicImport: (load: () => unknown) => load() });
  const module = frame.document.createElement("script");
  module.type = "module";
  module.src = new URL(script, location.href).href;
  frame.document.body.append(module);
  await new Promise((resolve, reject) => {
    module.addEventListener("load", resolve);
    module.addEventListener("error", reject);
  });
  return { frame, refused };
}

test("an editor under the same policy has its looks, grows, and marks a fault", async () => {
  const { frame, refused } = await pageWith("style-src 'self'", "/src/ui/widget/editor/index.ts");
  const host = frame.document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  frame.document.body.append(host);
  const script = frame.document.createElement("script");
  script.type = "module";
  script.textContent = `import { openEditor } from "${new URL("/src/ui/widget/editor/index.ts", location.href).href}"; window.openEditor = openEditor;`;
  frame.document.body.append(script);
  const openThere = await vi.waitFor(() => {
    const found: unknown = Reflect.get(frame, "openEditor");
    if (typeof found !== "function") throw new Error("The module has not run.");
    return found as typeof openEditor;
  }, untilShown);
  const editor = openThere({
    code: "def f():\n    return 1",
    label: "Code",
    readonly: false,
    root,
    onChange: () => undefined,
    onRun: () => undefined,
    onLeave: () => undefined,
    complete: () => Promise.resolve(null),
  });
  root.append(editor.element);
  editor.showFault({ line: 2, message: "wrong" });

  const keyword = await vi.waitFor(() => {
    const found = root.querySelector(".tok-key");
    if (found === null) throw new Error("Nothing is drawn.");
    return found;
  }, untilShown);
  expect(frame.getComputedStyle(keyword).color).toBe("rgb(123, 45, 139)");
  expect(frame.getComputedStyle(root.querySelector(".cm-content") ?? host).whiteSpace).toMatch(/^(pre|break-spaces)/);
  expect(root.querySelector("style")).toBeNull();
  expect(frame.document.head.querySelector("style")).toBeNull();
  expect(refused).toEqual([]);
});

test("under a policy that lets no inline style it looks the same, and nothing of it is refused", async () => {
  const { frame, refused } = await pageWith("style-src 'self'", "/src/ui/widget/output/index.ts");
  const output = frame.document.createElement("vitrine-output");
  frame.document.body.append(output);
  output.add({ kind: "stdout", text: "hello" });
  output.add({ kind: "display", source: "display", data: { "application/json": '[{"a": 1, "b": 2}]' } });
  output.add({ kind: "display", source: "display", data: { "text/markdown": "*text*\n\n| a |\n|---|\n| 1 |" } });
  output.add({
    kind: "display",
    source: "display",
    data: { "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"></svg>' },
  });
  output.add({ kind: "display", source: "display", data: { "text/html": "<p>a</p>".repeat(4) } });
  await output.updateComplete;

  const frames = await vi.waitFor(() => {
    const found = [...(output.shadowRoot?.querySelectorAll("iframe") ?? [])];
    expect(found).toHaveLength(2);
    return found;
  }, untilShown);
  const [drawing, document] = frames.map((element) => element.getBoundingClientRect());

  expect(refused).toEqual([]);
  expect(frame.getComputedStyle(output.shadowRoot?.querySelector("pre") ?? output).fontSize).toBe("13px");
  expect((drawing?.width ?? 0) / (drawing?.height ?? 1)).toBeCloseTo(4, 1);
  expect(document?.height).toBe(148);
  // The frame within is as large, where its own styles are refused.
  expect(frames[1]?.srcdoc).toContain('width="100%" align="top" height="148"');
});

test("More makes the document within a sealed frame as large as that, where its own styles are refused", async () => {
  const { frame } = await pageWith("style-src 'self'", "/src/ui/widget/output/index.ts");
  const output = frame.document.createElement("vitrine-output");
  frame.document.body.append(output);
  output.add({ kind: "display", source: "display", data: { "text/html": "<p>a</p>".repeat(4) } });
  const drawn = (): HTMLIFrameElement => {
    const found = output.shadowRoot?.querySelector("iframe") ?? null;
    if (found === null) throw new Error("Nothing is drawn.");
    return found;
  };
  const before = await vi.waitFor(drawn, untilShown);
  const more = output.shadowRoot?.querySelector<HTMLButtonElement>("button[aria-expanded]");

  more?.click();

  const after = await vi.waitFor(() => {
    expect(drawn()).not.toBe(before);
    return drawn();
  }, untilShown);
  // The page's frame is 500 pixels high.
  expect(after.getBoundingClientRect().height).toBe(350);
  expect(after.srcdoc).toContain('width="100%" align="top" height="350"');
  expect(more?.ariaExpanded).toBe("true");
});

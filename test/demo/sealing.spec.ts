import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test, type Page } from "@playwright/test";

import { dictatedScenario } from "../servers/dictated-replies.js";
import { startModelServer } from "../servers/model-server.js";
import { expectDrawn, openDemo, runInConsole, runTask, showTab, useModel } from "./demo.js";

/** A server that wants to be told something. Only what it hears counts. */
async function startListener(): Promise<{ origin: string; heard: string[]; close: () => void }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? "");
    response.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "image/svg+xml" });
    response.end('<svg xmlns="http://www.w3.org/2000/svg"/>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { origin, heard, close: () => void server.close() };
}

let listener: Awaited<ReturnType<typeof startListener>>;
test.beforeEach(async ({ page }) => {
  listener = await startListener();
  await openDemo(page);
});
test.afterEach(() => {
  listener.close();
});

function hostileHtml(origin: string): string {
  return [
    `<base href="${origin}/base/">`,
    `<meta http-equiv="refresh" content="0;url=${origin}/refresh">`,
    `<link rel="stylesheet" href="${origin}/style">`,
    `<link rel="prefetch" href="${origin}/prefetch"><link rel="preconnect" href="${origin}">`,
    `<style>@import "${origin}/import"; body { background: url(${origin}/css) } @font-face { font-family: x; src: url(${origin}/font) } p { font-family: x }</style>`,
    `<img src="${origin}/img" onerror="parent.document.title='out'">`,
    `<img srcset="${origin}/srcset 2x"><picture><source srcset="${origin}/source"><img></picture>`,
    `<video poster="${origin}/poster" src="${origin}/video" autoplay></video><audio src="${origin}/audio" autoplay></audio>`,
    `<iframe src="${origin}/frame"></iframe><object data="${origin}/object"></object><embed src="${origin}/embed">`,
    `<svg><image href="${origin}/svg-image" xlink:href="${origin}/svg-xlink"/><use href="${origin}/use#a"/></svg>`,
    `<script>fetch("${origin}/script"); top.location = "${origin}/top"</script>`,
    `<form action="${origin}/form"><button autofocus>go</button></form>`,
    `<table background="${origin}/table"><tr><td>cell</td></tr></table>`,
    `<a href="${origin}/link" ping="${origin}/ping">the link</a><p>the end</p>`,
  ].join("");
}

/** Nothing was heard but what the page says by itself: proof that the server listens. */
async function expectSilence(page: Page): Promise<void> {
  await page.evaluate((url) => fetch(url).then((response) => response.text()), `${listener.origin}/control`);
  expect(listener.heard).toEqual(["/control"]);
  listener.heard.length = 0;
}

test("the frames of the interpreter do not know the page's address", async ({ page }) => {
  const addresses = await Promise.all(
    page
      .frames()
      .filter((frame) => frame !== page.mainFrame())
      .map((frame) => frame.evaluate(() => document.baseURI)),
  );

  expect(addresses).toEqual(["about:blank", "about:blank"]);
});

test("HTML that code displays reaches no server and runs no script", async ({ page }) => {
  const title = await page.title();

  const entry = await runInConsole(
    page,
    `class Evil:\n    def _repr_html_(self): return '''${hostileHtml(listener.origin)}'''\n\nEvil()`,
  );

  await expectDrawn(entry.frameLocator("iframe").frameLocator("iframe").getByText("the end"));
  await expectSilence(page);
  expect(await page.title()).toBe(title);
});

test("SVG that code displays or saves reaches no server", async ({ page }) => {
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">`,
    `<style>@import "${listener.origin}/import"; rect { fill: url(${listener.origin}/fill#a) }</style>`,
    `<image href="${listener.origin}/image" xlink:href="${listener.origin}/xlink" width="9" height="9"/><rect width="9" height="9"/>`,
    `<use href="${listener.origin}/use#a"/><script>fetch("${listener.origin}/script")</script>`,
    `<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${listener.origin}/html"/></foreignObject></svg>`,
  ].join("");

  const code = `class Evil:\n    def _repr_svg_(self): return '''${svg}'''\n\nartifacts.save("evil.svg", '''${svg}''')\nEvil()`;
  const entry = await runInConsole(page, code);

  await expectDrawn(entry.frameLocator("iframe").frameLocator("iframe").getByRole("img"));
  const panel = await showTab(page, "Artifacts");
  await expectDrawn(panel.frameLocator("iframe").frameLocator("iframe").getByRole("img"));
  await expectSilence(page);
});

test("an HTML artifact reaches no server, in its card and opened in full", async ({ page }) => {
  await runInConsole(page, `artifacts.save("evil.html", '''${hostileHtml(listener.origin)}''')`);

  const panel = await showTab(page, "Artifacts");
  await expectDrawn(panel.frameLocator("iframe").frameLocator("iframe").getByText("the end"));
  await panel.getByRole("button", { name: "Open evil.html" }).click();
  const dialog = page.getByRole("dialog", { name: "evil.html" });
  await expectDrawn(dialog.frameLocator("iframe").frameLocator("iframe").getByText("the end"));
  await expectSilence(page);
});

test("Markdown of a model reaches no server, and its links open only after their target was shown", async ({
  page,
  context,
}) => {
  const server = await startModelServer();
  const markdown = `![chart](${listener.origin}/picture) <img src="${listener.origin}/raw"> <style>p{background:url(${listener.origin}/css)}</style> [read on](${listener.origin}/read?secret=1)`;
  const reply = `Look: ${markdown}\n\n\`\`\`python\nfinal_answer(${JSON.stringify(markdown)})\n\`\`\``;
  await useModel(page, { baseURL: server.baseURL(dictatedScenario([reply])) });

  const card = await runTask(page, "Be evil");

  await expect(card.locator(".answer")).toContainText("[picture not loaded: chart]");
  await expectSilence(page);
  await card.locator(".answer").getByRole("button", { name: "read on" }).click();
  const dialog = page.getByRole("dialog", { name: "Open this address?" });
  await expect(dialog).toContainText(`${listener.origin}/read?secret=1`);
  // Not even a link with the address is there: browsers look up hosts of links, and scripts of a site may load them.
  expect(await page.locator(`a[href^="${listener.origin}"]`).count()).toBe(0);
  await expectSilence(page);

  const open = dialog.getByRole("button", { name: "Open in a new tab" });
  const [opened] = await Promise.all([context.waitForEvent("page"), open.click()]);
  await opened.waitForLoadState();
  expect(await opened.evaluate(() => document.referrer === "" && window.opener === null)).toBe(true);
  expect(listener.heard).toContain("/read?secret=1");
  await server.close();
});

test("links of HTML are listed below it and ask first", async ({ page }) => {
  const entry = await runInConsole(
    page,
    `class Shown:\n    def _repr_html_(self): return '<a href="${listener.origin}/x">more</a>'\n\nShown()`,
  );

  await entry.getByText("1 link").click();
  await entry.getByRole("button", { name: "more", exact: true }).click();

  await expect(page.getByRole("dialog", { name: "Open this address?" })).toContainText(`${listener.origin}/x`);
  await page.keyboard.press("Escape");
  await expectSilence(page);
});

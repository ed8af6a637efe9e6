import { expect, test, type Page } from "@playwright/test";

import { serveFolder } from "../../.ci/static-server.mjs";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { createProject, type Project } from "./project.js";

let project: Project;
let site: Awaited<ReturnType<typeof serveFolder>>;
let server: ModelServer;

const FIRST = `Let me look.
\`\`\`python
lamp = tools.site_texts(query="lamps")[0]
print(lamp["text"], prices)
\`\`\``;
const SECOND = `Now I know.
\`\`\`python
total = prices["lamp"] * 2
final_answer(f"Two lamps cost **{total}**.")
\`\`\``;

test.beforeAll(async () => {
  project = await createProject();
  await project.write("site/llms.txt", "# Shop\n\nLamps are sold in pairs.\n");
  await project.link("node_modules/vitrine", "site/vitrine");
  server = await startModelServer(({ body }) => {
    const isFirst = !body.messages.some(({ role }) => role === "assistant");
    return { kind: "reply", text: isFirst ? FIRST : SECOND };
  });
});

test.afterAll(async () => {
  await server.close();
  await project.remove();
});

test.afterEach(() => site.close());

async function openShop(page: Page, headers: Record<string, string> = {}): Promise<void> {
  site = await serveFolder(project.path("site"), { headers });
  await project.write(
    "site/shop.html",
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The shop</title>
<script type="module" src="vitrine/dist/widget.js"></script>
<main>
  <h1>The shop</h1>
  <vitrine-cell session="shop"><pre>prices = {"lamp": 40, "chair": 85}</pre></vitrine-cell>
  <vitrine-cell session="shop"><pre>total</pre></vitrine-cell>
  <vitrine-agent session="shop" endpoint="${server.baseURL("shop")}" model="test-model" key="none" texts="llms.txt">
    <p>Ask about the shop.</p>
  </vitrine-agent>
</main>`,
  );
  await page.goto(`${site.url}shop.html`);
}

async function ask(page: Page): Promise<void> {
  const agent = page.locator("vitrine-agent");
  await agent.getByRole("textbox").first().fill("What do two lamps cost?");
  await agent.getByRole("button", { name: "Ask", exact: true }).click();
}

test("an agent answers with the variables of the page's cells and the texts of its site", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  await openShop(page);
  await page.getByRole("button", { name: "Run" }).first().click();
  await expect(page.locator("vitrine-cell").first()).toContainText("Done", { timeout: ANSWERS });
  expect(scripts.filter((path) => path.includes("agent-runtime"))).toEqual([]);

  await ask(page);

  await expect(page.getByRole("region", { name: "Answer" })).toContainText("Two lamps cost 80.", { timeout: ANSWERS });
  const [, second] = server.requests;
  expect(second?.body.messages.at(-1)?.content).toContain("Lamps are sold in pairs. {'lamp': 40, 'chair': 85}");
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  await page.getByRole("button", { name: "Run" }).nth(1).click();
  await expect(page.locator("vitrine-cell").nth(1).locator("vitrine-output")).toContainText("80", { timeout: ANSWERS });
});

test("a site whose policy has no place for the model reads the directive that is missing it", async ({ page }) => {
  const policy =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' blob: 'unsafe-inline'; style-src 'self'; worker-src blob:; connect-src 'self' blob: data:; frame-src 'self' blob: data:; img-src 'self' data:";
  await openShop(page, { "Content-Security-Policy": policy });
  await page.getByRole("button", { name: "Run" }).first().click();
  await expect(page.locator("vitrine-cell").first()).toContainText("Done", { timeout: ANSWERS });

  await ask(page);

  await expect(page.locator("vitrine-agent")).toContainText("Its connect-src has to allow it", { timeout: ANSWERS });
});

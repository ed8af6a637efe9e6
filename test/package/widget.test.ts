import { readFile } from "node:fs/promises";
import { basename } from "node:path";

import { expect, test, type Page } from "@playwright/test";

import { serveFolder } from "../../.ci/static-server.mjs";
import type { VitrineCell } from "../../src/ui/widget/index.js";
import { startModelServer, type ModelServer } from "../servers/model-server.js";
import { ANSWERS } from "../timeouts.mjs";
import { createProject, type Project } from "./project.js";

let project: Project;
let site: Awaited<ReturnType<typeof serveFolder>>;

test.beforeAll(async () => {
  project = await createProject();
  await project.write("site/data/orders.csv", "article,count\nlamp,2\nchair,1\n");
  await project.link("node_modules/vitrine", "site/vitrine");
  site = await serveFolder(project.path("site"));
});

test.afterAll(async () => {
  await site.close();
  await project.remove();
});

const SCRIPT = '<script type="module" src="vitrine/dist/widget.js"></script>\n';

/** A page with a sample of docs/embed.md, which shows the script once. */
async function openSample(
  page: Page,
  path: string,
  made: (sample: string) => string = (sample) => sample,
): Promise<void> {
  const sample = made(await readFile(path, "utf8"));
  const name = basename(path);
  const script = sample.includes(SCRIPT.trim()) || name === "output.html" ? "" : SCRIPT;
  const head = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>A page</title>\n';
  await project.write(`site/${name}`, `${head}${script}${sample}`);
  await page.goto(`${site.url}${name}`);
}

async function run(page: Page, at = 0): Promise<void> {
  await page.getByRole("button", { name: "Run" }).nth(at).click();
}

test("one script and a cell: the author's result is there, and Run gives the reader's", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await openSample(page, "docs/samples/cell.html");
  await expect(page.getByText("42")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run" })).toBeVisible();
  // What comes before the first click: the page, the script, and nothing that it imports.
  const beforeClick = ["/cell.html", "/vitrine/dist/widget.js"];
  expect(requests.filter((path) => !path.endsWith(".ico"))).toEqual(beforeClick);
  await page.getByRole("button", { name: "Run" }).hover();
  await page.getByRole("button", { name: "Run" }).focus();
  expect(requests.filter((path) => !path.endsWith(".ico"))).toEqual(beforeClick);

  // The press begins what the click goes on with.
  await page.mouse.down();
  await expect.poll(() => requests.some((path) => /\/runtime-[^/]*\.js$/.test(path))).toBe(true);
  await expect(page.locator("vitrine-output")).toHaveCount(0);
  await page.mouse.up();

  await expect(page.locator("vitrine-output")).toContainText("42", { timeout: ANSWERS });
});

test("cells of one session share variables, and say whether the result is the expected one", async ({ page }) => {
  await openSample(page, "docs/samples/cell-session.html");

  await run(page, 0);
  await expect(page.locator("vitrine-output")).toContainText("['Japan', 'Norway']", { timeout: ANSWERS });
  await run(page, 1);

  await expect(page.locator("vitrine-output").nth(1)).toContainText("2202", { timeout: ANSWERS });
  await expect(page.locator("vitrine-cell").nth(1)).toContainText(/as expected|expected result/i);
});

test("an exercise is judged, and its solution passes", async ({ page }) => {
  await openSample(page, "docs/samples/cell-exercise.html");

  await run(page);
  const exercise = page.locator("vitrine-cell");
  await expect(exercise).toContainText("It gave 0.", { timeout: ANSWERS });
  await exercise.evaluate((element: VitrineCell) => {
    element.code = element.querySelector("details pre")?.textContent ?? "";
  });
  await run(page);

  await expect(exercise).toContainText("Passed: The mean of 1 and 3 is 2", { timeout: ANSWERS });
});

test("a cell has the page's functions and files", async ({ page }) => {
  await openSample(page, "docs/samples/cell-tools.html");

  await run(page);

  await expect(page.locator("vitrine-output")).toContainText("{'lamp': 40, 'chair': 85}", { timeout: ANSWERS });
});

test("a cell takes the colours that the page gives", async ({ page }) => {
  await openSample(page, "docs/samples/cell-theme.html");

  await expect(page.getByRole("button", { name: "Run" })).toHaveCSS("background-color", "rgb(122, 62, 157)");
});

test("a script sets a cell's code, runs it, and hears what came of it", async ({ page }) => {
  await openSample(page, "docs/samples/cell-script.html");

  await expect(page.locator("#heard")).toHaveText("lesson: [42, 'from a script']", { timeout: ANSWERS });
});

test("the plugin of markdown-it makes a cell of a fence", async () => {
  await project.linkInstalled("markdown-it");
  await project.copy("docs/samples/fences-markdown-it.mjs", "fences.mjs");

  const html = await project.node("fences.mjs");

  expect(html).toContain('<vitrine-cell session="tour" expected>');
  expect(html).toContain("<output>");
});

test("the plugin of remark makes a cell of a fence", async () => {
  await project.copy("docs/samples/fences-remark.mjs", "remark.mjs");
  await project.write(
    "use-remark.mjs",
    `import site from "./remark.mjs";
     const tree = { type: "root", children: [{ type: "code", lang: "python", meta: "vitrine expected", value: "1" }] };
     for (const plugin of site.markdown.remarkPlugins) plugin()(tree, {});
     console.log(JSON.stringify(tree.children[0].data));`,
  );

  expect(JSON.parse(await project.node("use-remark.mjs"))).toEqual({
    hName: "vitrine-cell",
    hProperties: { expected: "" },
  });
});

test("<vitrine-output> draws the run of a session", async ({ page }) => {
  await openSample(page, "docs/samples/output.html");

  await expect(page.locator("vitrine-output")).toContainText("three", { timeout: ANSWERS });
  await expect(page.locator("vitrine-output")).toContainText("[1, 2, 3]");
});

/** A model whose every reply is this code. */
function modelOf(code: string): Promise<ModelServer> {
  return startModelServer(() => ({ kind: "reply", text: `So it is.\n\n\`\`\`python\n${code}\n\`\`\`` }));
}

test("an agent answers about its page, with the texts of the site", async ({ page }) => {
  const models = await modelOf(
    'found = tools.site_texts(query="lamp")\nfinal_answer("Found." if "40" in str(found) else "No.")',
  );
  await project.write("site/llms.txt", "# Shop\n\n> Prices.\n\n## Articles\n\nA lamp costs 40 euros.\n");
  await openSample(page, "docs/samples/agent.html", (sample) =>
    sample.replace("https://models.example.org/v1", models.baseURL("any")),
  );
  const agent = page.locator("vitrine-agent");

  await page.getByRole("button", { name: "Which article costs most?" }).click();

  await expect(agent).toContainText("Answered in", { timeout: ANSWERS });
  await expect(agent).toContainText("Found.");
  expect(models.requests[0]?.headers.authorization).toBeUndefined();
  await models.close();
});

test("an agent has the variables of the cells of its session, and the reader names its model", async ({ page }) => {
  const models = await modelOf("final_answer(f\"{2 * prices['lamp'] + prices['chair']} euros\")");
  await openSample(page, "docs/samples/agent-session.html");
  await run(page);
  await expect(page.locator("vitrine-cell")).toContainText("Done in", { timeout: ANSWERS });
  const agent = page.locator("vitrine-agent");
  await expect(agent).toContainText("It needs a model");

  await agent.getByText("Model: none yet").click();
  await agent.getByRole("textbox", { name: "Address of the server" }).fill(models.baseURL("any"));
  await agent.getByRole("textbox", { name: "Name of the model" }).fill("small");
  await agent.getByLabel("Key").fill("sk-of-the-reader");
  await expect(agent).toContainText(`Your key goes to ${new URL(models.origin).host}, and to no other site.`);
  await agent.getByRole("textbox", { name: "Ask about the shop" }).fill("What do two lamps and a chair cost?");
  await page.keyboard.press("Enter");

  await expect(agent).toContainText("165 euros", { timeout: ANSWERS });
  expect(models.requests[0]?.headers.authorization).toBe("Bearer sk-of-the-reader");
  await models.close();
});

test("the widget works from another host than the page's", async ({ page }) => {
  const cdn = await serveFolder(project.path("node_modules/vitrine"), {
    base: "/npm/vitrine@1/",
    headers: { "Access-Control-Allow-Origin": "*" },
  });
  await project.write(
    "site/foreign.html",
    `<!doctype html><script type="module" src="${cdn.url}dist/widget.js"></script><vitrine-cell><pre>6 * 7</pre></vitrine-cell>`,
  );
  await page.goto(`${site.url}foreign.html`);

  await run(page);

  await expect(page.locator("vitrine-output")).toContainText("42", { timeout: ANSWERS });
  await cdn.close();
});

import { cp, readdir } from "node:fs/promises";

import { expect, test, type Page } from "@playwright/test";

import { serveFolder } from "../../.ci/static-server.mjs";
import { ANSWERS } from "../timeouts.mjs";
import { createProject, type Project } from "./project.js";

const WHEEL = "attrs-26.1.0-py3-none-any.whl";

let project: Project;
let site: Awaited<ReturnType<typeof serveFolder>>;

/** A site of which somebody copied what docs/embedding.md names: one script, and the folder of the interpreter. */
test.beforeAll(async () => {
  project = await createProject();
  const packed = "node_modules/vitrine/dist";
  await project.copy("docs/samples/single-file-page.html", "site/index.html");
  await project.copy(project.path(`${packed}/vitrine.single.js`), "site/vitrine.single.js");
  await cp(project.path(`${packed}/pyodide`), project.path("site/pyodide"), { recursive: true });
  await project.copy(`test/wheels/${WHEEL}`, `site/packages/${WHEEL}`);
  await project.write("site/packages/index.json", JSON.stringify([WHEEL]));
  site = await serveFolder(project.path("site"));
});

test.afterAll(async () => {
  await site.close();
  await project.remove();
});

/** Paths of what the page and all that it starts ask the site for. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.pathname !== "/favicon.ico") paths.push(url.pathname);
  });
  return paths;
}

test("a page with one script and the interpreter's folder runs Python with a package, and fetches no other script", async ({
  page,
}) => {
  const requests = requestsOf(page);

  await page.goto(site.url);

  await expect(page.locator("#answer")).toHaveText('{"weight":7}', { timeout: ANSWERS });
  const own = requests.filter((path) => !path.startsWith("/pyodide/") && !path.startsWith("/packages/"));
  expect(own).toEqual(["/", "/vitrine.single.js"]);
  expect(requests.filter((path) => path.startsWith("/packages/"))).toContain(`/packages/${WHEEL}`);
  const interpreter = requests.filter((path) => path.startsWith("/pyodide/"));
  const carried = await readdir(project.path("site/pyodide"));
  expect(interpreter.sort()).toEqual(carried.map((name) => `/pyodide/${name}`).sort());
});

test("what the library loads on demand is in the script: findings, validation of content, a program by contract", async ({
  page,
}) => {
  await project.write(
    "site/on-demand.html",
    `<!doctype html><p id="answer"></p><script type="module" src="on-demand.js"></script>`,
  );
  await project.write(
    "site/on-demand.js",
    `import { Codegen, memoryStorage, Session, validateContent } from "./vitrine.single.js";

     const show = (text) => { document.querySelector("#answer").textContent = text; };
     const content = 'set_progress(artifact={"name": "total", "type": "inline", "value": str(6 * 7)})\\nawait done()';
     const reply = { files: [{ path: "main.py", content }], entrypoint: "python main.py", outputs: [], notes: "" };
     const model = {
       name: "dictated",
       kind: "dictated",
       async *complete() {
         yield { type: "text", text: JSON.stringify(reply) };
         yield { type: "done", finishReason: "stop", usage: null };
       },
     };
     const tryAll = async () => {
       const session = await Session.open({ storage: memoryStorage() });
       const findings = await session.check("print(undefined_name)");
       const { code } = await validateContent({ text: "{", format: "json" });
       const outputContract = { total: { type: "inline", format: "text", description: "A number." } };
       const run = new Codegen({ session, model }).run({ instruction: "Multiply.", outputContract });
       const { items, error } = await run.result;
       return [...findings.map((each) => each.code), code, error ?? items.map(({ output }) => output?.text)];
     };
     tryAll().then((found) => show(JSON.stringify(found)), (error) => show(String(error)));`,
  );
  const requests = requestsOf(page);

  await page.goto(`${site.url}on-demand.html`);

  await expect(page.locator("#answer")).toHaveText('["UNKNOWN_NAME","json_parse_failed",["42"]]', { timeout: ANSWERS });
  const own = requests.filter((path) => !path.startsWith("/pyodide/"));
  expect(own).toEqual(["/on-demand.html", "/on-demand.js", "/vitrine.single.js"]);
});

test("the script alone has the library's types, in a strict project too", async () => {
  await project.write(
    "single.ts",
    `import { memoryStorage, Session } from "vitrine/single";
     import type { RunResult } from "vitrine";
     const session = await Session.open({ storage: memoryStorage() });
     export const result: RunResult = await session.run("1+1");
     // @ts-expect-error: a run's code is text.
     await session.run(1);`,
  );
  await project.typeCheck("single.ts", { moduleResolution: "nodenext" });
});

test("the script names no other, and a bundler that reads it carries the interpreter along", async ({ page }) => {
  await project.write("index.html", `<!doctype html><p id="answer"></p><script type="module" src="/main.js"></script>`);
  await project.write(
    "main.js",
    `import { memoryStorage, Session } from "vitrine/single";

     Session.open({ storage: memoryStorage() })
       .then((session) => session.run("6 * 7"))
       .then(({ value }) => { document.querySelector("#answer").textContent = value; });`,
  );
  await project.vite("build");
  const built = await serveFolder(project.path("dist"));
  const requests = requestsOf(page);

  await page.goto(built.url);

  await expect(page.locator("#answer")).toHaveText("42", { timeout: ANSWERS });
  expect(requests.filter((path) => path.endsWith(".js"))).toHaveLength(1);
  await built.close();
});

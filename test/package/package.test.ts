import { expect, test, type Page } from "@playwright/test";

import { serveFolder } from "../../.ci/static-server.mjs";
import { ANSWERS } from "../timeouts.mjs";
import { createProject, installed, type Project } from "./project.js";

/** What a user of the package writes; `#answer` is where the tests look. */
const script = (from: string): string => `
import { Session, memoryStorage } from "${from}";

const show = (text) => { document.querySelector("#answer").textContent = text; };
Session.open({ storage: memoryStorage() })
  .then(async (session) => {
    const { value, error } = await session.run("1+1");
    const { boot } = session.capabilities;
    show(error === null ? \`\${value} from a \${boot.from} start, \${boot.reason ?? boot.source}\` : String(error));
  })
  .catch((error) => show(String(error)));
`;

const html = (main: string): string => `<!doctype html>
<meta charset="utf-8">
<title>Vitrine from its package</title>
<p id="answer"></p>
<script type="module" src="${main}"></script>
`;

let project: Project;

test.beforeAll(async () => {
  project = await createProject();
  await project.write("index.html", html("/main.js"));
  await project.write("main.js", script("vitrine"));
  await project.write("plain/index.html", html("./main.js"));
  await project.write("plain/main.js", script("../node_modules/vitrine/dist/vitrine.js"));
});

test.afterAll(() => project.remove());

test("Python runs in an empty vite project under `vite dev`", async ({ page }) => {
  const server = await project.startVite();
  try {
    await expectAnswer(page, server.url);
  } finally {
    await server.close();
  }
});

test("Python runs in an empty vite project after `vite build`", async ({ page }) => {
  await project.vite("build");
  const site = await serveFolder(project.path("dist"));
  await expectAnswer(page, site.url);
  await site.close();
});

test("Python runs after `vite build` from a path below the root", async ({ page }) => {
  await project.vite("build", "--base", "./", "--outDir", "dist-relative");
  const site = await serveFolder(project.path("dist-relative"), { base: "/docs/app/" });
  await expectAnswer(page, site.url);
  await site.close();
});

test("Python runs in a plain HTML page with a module script", async ({ page }) => {
  const site = await serveFolder(project.folder);
  await expectAnswer(page, `${site.url}plain/`);
  await site.close();
});

test("the plain page that the documents show says what it promises, with the package beside it", async ({ page }) => {
  await project.copy("docs/samples/plain-page.html", "sample/index.html");
  await project.link("node_modules/vitrine", "sample/vitrine");
  const site = await serveFolder(project.path("sample"));

  await page.goto(site.url);
  await expect(page.locator("#answer")).toHaveText("44.6", { timeout: ANSWERS });
  await site.close();
});

test("Python runs in a page of another origin than the package", async ({ page }) => {
  const cdn = await serveFolder(project.path("node_modules/vitrine"), {
    base: "/npm/vitrine@1/",
    headers: { "Access-Control-Allow-Origin": "*" },
  });
  await project.write("embedding/index.html", html("./main.js"));
  await project.write("embedding/main.js", script(`${cdn.url}dist/vitrine.js`));
  const site = await serveFolder(project.path("embedding"));
  await expectAnswer(page, site.url);
  await Promise.all([site.close(), cdn.close()]);
});

test("a tool declared with the project's own zod is called with checked arguments", async ({ page }) => {
  await project.write("tool.html", html("/tool.js"));
  await project.write(
    "tool.js",
    `import { Session, functionTool, memoryStorage } from "vitrine";
     import { z } from "zod";

     const show = (text) => { document.querySelector("#answer").textContent = text; };
     const double = functionTool({
       name: "double",
       description: "Twice a number.",
       input: z.object({ n: z.number().describe("Any number.") }),
       run: ({ n }) => 2 * n,
     });
     Session.open({ storage: memoryStorage(), tools: [double] })
       .then((session) => session.run("tools.double(n=1)"))
       .then((result) => show(result.error === null ? String(result.value) : String(result.error)))
       .catch((error) => show(String(error)));`,
  );
  const server = await project.startVite();
  try {
    await expectAnswer(page, `${server.url}tool.html`, "2");
  } finally {
    await server.close();
  }
});

test("types are checked with the script of browser-basedpyright among the project's static files", async ({ page }) => {
  await project.copy(installed("browser-basedpyright/dist/pyright.worker.js"), "public/pyright.worker.js");
  await project.write("types.html", html("/types.js"));
  await project.write(
    "types.js",
    `import { memoryStorage, pyrightTypeChecker, Session } from "vitrine";

     const show = (text) => { document.querySelector("#answer").textContent = text; };
     const limits = { startTimeout: ${String(ANSWERS)}, timeout: ${String(ANSWERS)} };
     const types = pyrightTypeChecker({ worker: "/pyright.worker.js", ...limits });
     Session.open({ storage: memoryStorage() })
       .then((session) => session.check("def label():\\n    return 'a'\\n1 + label()", { types }))
       .then((findings) => show(findings.map(({ code, line, column }) => [code, line, column].join(" ")).join()))
       .catch((error) => show(String(error)))
       .finally(() => types.close());`,
  );
  const server = await project.startVite();
  try {
    await expectAnswer(page, `${server.url}types.html`, "TYPE 3 1");
  } finally {
    await server.close();
  }
});

test("content is validated by the package's own worker", async ({ page }) => {
  for (const name of ["reportlab.pdf", "xlsxwriter.xlsx", "palette.png"]) {
    await project.copy(`test/fixtures/content/${name}`, `public/${name}`);
  }
  await project.write("content.html", html("/content.js"));
  await project.write(
    "content.js",
    `import { validateContent } from "vitrine";

     const show = (text) => { document.querySelector("#answer").textContent = text; };
     const look = async (filename) => {
       const bytes = new Uint8Array(await (await fetch("/" + filename)).arrayBuffer());
       const { kind, facts } = await validateContent({ bytes, filename });
       return [kind, facts?.pages ?? facts?.width ?? facts?.sheets[0].name].join(" ");
     };
     Promise.all(["reportlab.pdf", "xlsxwriter.xlsx", "palette.png"].map(look))
       .then(async (found) => [...found, (await validateContent({ text: "{", format: "json" })).code])
       .then((found) => show(found.join(", ")))
       .catch((error) => show(String(error)));`,
  );
  const server = await project.startVite();
  try {
    await expectAnswer(page, `${server.url}content.html`, "valid 3, valid Umsätze, valid 37, json_parse_failed");
  } finally {
    await server.close();
  }
});

for (const resolution of ["bundler", "nodenext"] as const) {
  test(`the types compile in a strict project with moduleResolution "${resolution}" that checks libraries too`, async () => {
    await project.write(
      "main.ts",
      `import { Session, functionTool, memoryStorage } from "vitrine";
       import { z } from "zod";
       const input = z.object({ city: z.string() });
       const weather = functionTool({ name: "weather", description: "", input, run: ({ city }) => city.length });
       const session = await Session.open({ storage: memoryStorage(), tools: [weather] });
       const result = await session.run("1+1", { timeout: 1000 });
       // @ts-expect-error: a run's code is text.
       await session.run(1);
       export const text: string = result.stdout;`,
    );
    await project.typeCheck("main.ts", { moduleResolution: resolution });
  });
}

test("the package carries its licence, those of what it bundles, and the source of Pyodide", async () => {
  expect(await project.read("node_modules/vitrine/LICENSE")).toContain("MIT License");
  const notices = await project.read("node_modules/vitrine/dist/THIRD_PARTY.md");
  for (const name of ["comlink", "just-bash", "minimatch", "@sqlite.org/sqlite-wasm", "@bjorn3/browser_wasi_shim"]) {
    expect(notices).toContain(`## ${name} - `);
  }
  expect(notices).toContain("https://github.com/pyodide/pyodide");
});

async function expectAnswer(page: Page, url: string, answer = "2 from a snapshot start, download"): Promise<void> {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  await expect(page.locator("#answer"), complaints.join("\n")).not.toBeEmpty();
  expect(await page.locator("#answer").textContent(), complaints.join("\n")).toBe(answer);
}

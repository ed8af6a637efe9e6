import { once } from "node:events";
import { readdir } from "node:fs/promises";

import { expect, test } from "@playwright/test";

import { startLocalServer } from "../servers/local-server.js";
import { startPackageServer, type PackageServer } from "../servers/package-server.js";
import { createProject, type Project } from "./project.js";

let project: Project;
let server: PackageServer;

test.beforeAll(async () => {
  project = await createProject();
  server = await startPackageServer();
});

test.afterAll(async () => {
  await server.close();
  await project.remove();
});

test("the program puts packages into a site, from where its sessions install them", async ({ page }) => {
  const lockfile = `${server.origin}/pyodide/pyodide-lock.json`;
  const added = await project.runProgram("vitrine", "packages", "add", "pydantic", "xxhash", "--lockfile", lockfile);
  expect(added).toMatchObject({ code: 0, err: "" });
  expect(added.out).toContain("public/packages has 6 packages");
  expect(await project.runProgram("vitrine", "packages", "check")).toMatchObject({ code: 0 });

  await project.write("index.html", `<!doctype html><p id="answer"></p><script type="module" src="/main.js"></script>`);
  await project.write(
    "main.js",
    `import { memoryStorage, Session } from "vitrine";

     const show = (text) => { document.querySelector("#answer").textContent = text; };
     const packages = [{ folder: "packages/" }];
     Session.open({ storage: memoryStorage(), packages, deps: ["pydantic", "xxhash"] })
       .then((session) => session.run(\`
import pydantic, xxhash

class Fruit(pydantic.BaseModel):
    weight: int

xxhash.xxh32(b"a").hexdigest(), Fruit(weight="7").weight
\`))
       .then((result) => show(result.error === null ? JSON.stringify(result.value) : String(result.error)))
       .catch((error) => show(String(error)));`,
  );
  const vite = await project.startVite();
  try {
    await page.goto(vite.url);
    await expect(page.locator("#answer")).toHaveText('["550d7456",7]');
  } finally {
    await vite.close();
  }
});

test("the program prints a policy under which the packed library runs Python", async ({ page }) => {
  const { code, out } = await project.runProgram("vitrine", "csp");
  expect(code).toBe(0);

  await project.write(
    "strict.html",
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${out.trim()}">` +
      `<p id="answer"></p><script type="module" src="/strict.js"></script>`,
  );
  await project.write(
    "strict.js",
    `import { memoryStorage, Session } from "vitrine";

     const show = (text) => { document.querySelector("#answer").textContent = text; };
     Session.open({ storage: memoryStorage() })
       .then((session) => session.run("6 * 7"))
       .then((result) => show(result.error === null ? JSON.stringify(result.value) : String(result.error)))
       .catch((error) => show(String(error)));`,
  );
  const vite = await project.startVite();
  try {
    await page.goto(new URL("strict.html", vite.url).href);
    await expect(page.locator("#answer")).toHaveText("42");
  } finally {
    await vite.close();
  }
});

test("the program carries the licences of what is in it", async () => {
  const notices = await project.read("node_modules/vitrine/dist/command-line/THIRD_PARTY.md");
  for (const name of ["@renovatebot/pep440", "fflate", "zod"]) expect(notices).toContain(`## ${name} - `);
});

test("the program reads the lockfile of the Pyodide that comes with it, where nothing else is named", async () => {
  const files = ["--lockfile", "pyodide", "--files", `${server.origin}/files/`];

  const { code, err } = await project.runProgram("vitrine", "packages", "add", "numpy", "--to", "numpy", ...files);

  expect(code).toBe(1);
  expect(err).toMatch(
    /^numpy cannot be installed: .+\/files\/numpy-[\d.]+-cp314-cp314-pyemscripten_2026_0_wasm32\.whl/,
  );
});

test("a program that is killed while it fetches leaves the folder as it was, and the next one goes on from there", async () => {
  const kept = "pydantic_core-2.50.5-cp314-cp314-pyemscripten_2026_0_wasm32.whl";
  const held = "typing_extensions-4.16.0-py3-none-any.whl";
  const asked: string[] = [];
  let isHeld = true;
  const slow = await startLocalServer((request, response) => {
    const name = request.url?.slice(1) ?? "";
    asked.push(name);
    if (name === held && isHeld) return;
    void fetch(`${server.origin}/files/${name}`).then(async (answer) => {
      response.end(new Uint8Array(await answer.arrayBuffer()));
    });
  });
  const lockfile = ["--lockfile", `${server.origin}/pyodide/pyodide-lock.json`, "--files", slow.origin];
  const add = ["packages", "add", "pydantic-core", "--to", "killed", ...lockfile];
  const filesIn = (folder: string): Promise<string[]> =>
    readdir(project.path(folder)).then(
      (names) => names.sort(),
      () => [],
    );

  const first = project.startProgram("vitrine", ...add);
  await expect
    .poll(async () => (await filesIn("killed/.unfinished")).filter((name) => !name.endsWith(".part")))
    .toHaveLength(1);
  first.kill("SIGKILL");
  await once(first, "close");
  expect(await filesIn("killed")).toEqual([".unfinished"]);

  isHeld = false;
  asked.length = 0;
  expect(await project.runProgram("vitrine", ...add)).toMatchObject({ code: 0, err: "" });
  expect(asked).toEqual([held]);
  expect(await filesIn("killed")).toEqual(["LICENSES.md", "index.json", kept, held]);
  await slow.close();
});

import { once } from "node:events";

import { expect, test } from "@playwright/test";

import { findChromium } from "../../.ci/browser.mjs";
import { startLocalServer, type LocalServer } from "../servers/local-server.js";
import { createProject, type Project } from "./project.js";

let project: Project;
let outside: LocalServer;
/** What was asked of another host than the site. */
const asked: string[] = [];

test.beforeAll(async () => {
  project = await createProject();
  await project.write("site/plain.html", "<!doctype html><title>Plain</title><p>None.");
  await project.link("node_modules/vitrine", "site/vitrine");
  outside = await startLocalServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("Access-Control-Allow-Origin", "*").end("");
  });
});

test.afterAll(async () => {
  await outside.close();
  await project.remove();
});

function pageOf(cells: string, folder = ""): string {
  const script = `<script type="module" src="${folder}vitrine/dist/widget.js"></script>`;
  return `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>A page</title>\n${script}\n${cells}</html>\n`;
}

const EXERCISE = `<vitrine-cell label="Exercise">
  <pre>x = ___</pre>
  <pre hidden slot="check" data-wants="x" data-label="It is 1">assert x == 1, f"It is {x}."</pre>
  <details slot="solution"><summary>Solution</summary><pre>x = SOLUTION</pre></details>
</vitrine-cell>
`;

async function check(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const executable = await findChromium();
  const options = executable === null ? [] : ["--executable", executable];
  return await project.runProgram("vitrine", "check", ...args, ...options);
}

let hasPlaywright = false;

async function usePlaywright(): Promise<void> {
  if (hasPlaywright) return;
  hasPlaywright = true;
  for (const name of ["playwright", "playwright-core"]) await project.linkInstalled(name);
}

test("without Playwright the program says how it is installed", async () => {
  await project.write("empty/index.html", pageOf("<vitrine-cell><pre>1</pre></vitrine-cell>"));

  const { code, out, err } = await check("empty");

  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("npm install --save-dev playwright && npx playwright install chromium");
});

test("the cells of a site are run, and what differs is said with its place", async () => {
  await usePlaywright();
  const picture = `<img alt="" src="${outside.origin}/picture.png">`;
  const passing = `<vitrine-cell session="shop" hidden><pre>prices = [700, 998]</pre></vitrine-cell>
<vitrine-cell session="shop" autorun><pre>prices.append(504)</pre></vitrine-cell>
<vitrine-cell session="shop" label="Total" expected><pre>sum(prices)</pre><output><pre>2202</pre></output></vitrine-cell>
<vitrine-cell><pre>print("before")
1 / 0</pre><output><pre>before
ZeroDivisionError: division by zero</pre></output></vitrine-cell>
<vitrine-cell label="Name"><pre>input("Your name?")</pre></vitrine-cell>
<vitrine-cell label="Fetch" trust="local"><pre>import js
try:
    await js.fetch("${outside.origin}/data.json")
    print("reached")
except Exception:
    print("not reached")</pre><output><pre>not reached</pre></output></vitrine-cell>
${EXERCISE.replace("SOLUTION", "1")}${picture}
<script>new WebSocket("${outside.origin.replace("http://127.0.0.1", "ws://localhost")}/socket");</script>`;
  const failing = `<vitrine-cell label="Typo"><pre>print("one")
print("two")</pre><output><pre>one
tow</pre></output></vitrine-cell>
<vitrine-cell><pre>print("fine")
nonsense</pre></vitrine-cell>
${EXERCISE.replace("SOLUTION", "2")}`;
  await project.write("site/index.html", pageOf(passing));
  await project.write("site/guide/index.html", pageOf(failing, "../"));
  await project.write("site/bare.html", "<!doctype html><title>Bare</title><vitrine-cell><pre>1</pre></vitrine-cell>");

  const { code, out, err } = await check("site/**", "--base", "/project/");

  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(asked).toEqual([]);
  const lines = out.split("\n");
  expect(lines).toContain("✓ site/index.html: 5 cells passed, 1 skipped");
  expect(lines).toContain("  site/index.html:12 cell 4 “Name”: skipped: It calls input(), which is not answered here.");
  expect(lines).toContain(`  Did not reach ${outside.origin}/picture.png`);
  expect(lines).toContain("✗ site/guide/index.html: 0 cells passed, 3 failed");
  expect(out).toContain(`  site/guide/index.html:6 cell 1 “Typo”: The output differs from the one that the page shows.
      @@ -1,2 +1,2 @@
       one
      -tow
      +two
`);
  expect(out).toContain(
    "site/guide/index.html:9 cell 2: The code raises NameError: name 'nonsense' is not defined in line 2 of its code.",
  );
  expect(out).toContain("site/guide/index.html:11 cell 3 “Exercise”: The solution does not pass: It is 1 (It is 2.).");
  expect(out).toContain("✗ site/bare.html: not checked\n  This page has cells but no widget script.\n");
  expect(lines.at(-2)).toBe(
    "3 pages of site: 9 cells, 3 failed, 1 skipped. 2 pages with failures. 1 page has no cells.",
  );
});

test("--write puts outputs into the file, and changes nothing else of it", async () => {
  await usePlaywright();
  const before = pageOf(`<p>Größe&nbsp;&lt;</p>
<vitrine-cell label='Old' >
    <pre class=x>"&lt;a> & b"</pre>
    <output ><pre>old</pre></output>
</vitrine-cell>
<vitrine-cell session=s>
\t<pre>for n in range(2): print(n)</pre>
</vitrine-cell>
<vitrine-cell><pre>print("same")</pre><output>  same </output></vitrine-cell>
<vitrine-cell><pre>x = 1</pre></vitrine-cell>
<vitrine-cell><pre>undefined</pre></vitrine-cell>
`).replaceAll("\n", "\r\n");
  await project.write("site/written.html", before);

  const { code, out } = await check("site/written.html", "--write", "--json");

  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    pages: [
      {
        cells: [
          { number: 1, label: "Old", line: 7, outcome: "passed", isWritten: true, output: "'<a> & b'" },
          { number: 2, outcome: "passed", isWritten: true, output: "0\n1" },
          { number: 3, outcome: "passed", isWritten: false },
          { number: 4, outcome: "passed", isWritten: false, output: null },
          { number: 5, outcome: "failed", why: "raised", isWritten: false },
        ],
      },
    ],
  });
  expect(await project.read("site/written.html")).toBe(
    before
      .replace("<pre>old</pre>", "<pre>'&lt;a&gt; &amp; b'</pre>")
      .replace("print(n)</pre>", "print(n)</pre>\r\n\t<output><pre>0\r\n1</pre></output>"),
  );
});

test("Ctrl-C ends the check with its browser", async () => {
  await usePlaywright();
  const wait = `<vitrine-cell timeout="none"><pre>while True: pass</pre></vitrine-cell>`;
  const picture = `<img alt="" src="${outside.origin}/begun.png">`;
  await project.write("site/endless.html", pageOf(wait + picture));
  const executable = await findChromium();
  const options = executable === null ? [] : ["--executable", executable];
  const child = project.startProgram("vitrine", "check", "site/endless.html", "--allow-network", ...options);
  let err = "";
  child.stderr?.on("data", (text) => (err += String(text)));
  await expect.poll(() => asked).toContain("/begun.png");

  child.kill("SIGINT");

  expect(await once(child, "close")).toEqual([1, null]);
  expect(err).toBe("The check was interrupted.\n");
});

import "../../packages-check/page.css";

import axe from "axe-core";
import { afterEach, expect, test, vi } from "vitest";

import { PackagesCheckPage, type PageOptions } from "../../packages-check/page.js";
import { CheckResult } from "../../packages-check/result.js";
import { checkedPackages, type CheckedPackage } from "../../packages-check/snippets/index.js";
import { untilAnswered } from "../../timeouts.mjs";

/** Wheels as they were published: see the README there. */
const folder = new URL("/test/wheels/", location.href).href;

const xxhash = checkedPackages.find(({ name }) => name === "xxhash");
if (xxhash === undefined) throw new Error("xxhash is checked.");

afterEach(() => {
  document.body.replaceChildren();
});

function openPage(packages: readonly CheckedPackage[], options: Partial<PageOptions> = {}): HTMLElement {
  const root = document.createElement("main");
  root.id = "packages-check";
  document.body.append(root);
  new PackagesCheckPage(root, {
    packages,
    sources: { wheels: { folder }, pyodide: { lockfile: "pyodide", files: "http://127.0.0.1:9/" } },
    places: { wheels: "this site", pyodide: "files.example" },
    commit: "0123456789",
    imports: 1,
    ...options,
  });
  return root;
}

function part<T extends Element>(root: HTMLElement, selector: string, kind: new () => T): T {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

function click(root: HTMLElement, selector: string): void {
  part(root, selector, HTMLElement).click();
}

async function isIn(root: HTMLElement, state: string): Promise<void> {
  await vi.waitFor(() => {
    expect(root.dataset.state).toBe(state);
  }, untilAnswered);
}

const resultOf = (root: HTMLElement): CheckResult =>
  CheckResult.parse(JSON.parse(part(root, "textarea", HTMLTextAreaElement).value));

const rowsOf = (root: HTMLElement, name: string): string[] =>
  Array.from(root.querySelectorAll(`[data-package="${name}"] tr`), ({ textContent }) =>
    textContent.replaceAll(/\s+/g, " ").trim(),
  );

async function violations(root: HTMLElement): Promise<string[]> {
  const found = await axe.run(root, { rules: { "target-size": { enabled: true } } });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

test("real wheels are installed and used; what fails and what is not there say why, and the JSON has it all", async () => {
  const failing: CheckedPackage = {
    ...xxhash,
    snippets: [
      ...xxhash.snippets,
      { id: "xxhash-wrong", title: "a wrong sum", code: "1 + 1", expected: { value: 3 } },
      { id: "xxhash-error", title: "an error", code: "import xxhash\nxxhash.xxh64(1.5)", expected: { value: 1 } },
    ],
  };
  const missing: CheckedPackage = { ...xxhash, name: "missing-thing", module: "missing_thing" };
  const root = openPage([failing, missing]);

  click(root, "#start");
  await isIn(root, "done");

  const [version = "", digest = "", wrong = "", error = ""] = rowsOf(root, "xxhash");
  expect(version).toMatch(/^xxhash 4\.1\.0 20,869 [\d.]+ import and version .*✓ passed$/);
  expect(digest).toMatch(/✓ passed$/);
  expect(wrong).toMatch(/✗ failed value: expected 3, found 2$/);
  expect(error).toMatch(/✗ failed .*TypeError/);
  expect(rowsOf(root, "missing-thing")[0]).toMatch(/✗ could not be run .*missing-thing/);
  expect(part(root, "[role=status]", HTMLElement).textContent).toBe(
    "The check is over: 2 of 6 snippets passed. Not installed or imported: missing-thing.",
  );
  const { commit, pyodide, packages } = resultOf(root);
  expect([commit, pyodide]).toEqual(["0123456789", expect.stringMatching(/^\d+\./)]);
  const [found, lost] = packages;
  expect(found?.files).toEqual([
    {
      name: "xxhash",
      version: "4.1.0",
      file: "xxhash-4.1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
      sha256: "eb2a048fad81ab55ef3e835b8440a73bb7b8b709140a1e9fe77091863b2172c5",
      size: 20869,
    },
  ]);
  expect(found?.importTimes).toHaveLength(1);
  expect(found?.snippets.map(({ outcome }) => outcome)).toEqual(["passed", "passed", "failed", "failed"]);
  expect(lost).toMatchObject({ files: [], snippets: [] });
  expect(await violations(root)).toEqual([]);
});

test("before Start nothing is fetched, the host is named, and a source can be left out", async () => {
  const numpy = checkedPackages.find(({ name }) => name === "numpy");
  if (numpy === undefined) throw new Error("NumPy is checked.");
  const root = openPage([xxhash, numpy], { sources: { wheels: { folder }, pyodide: { folder: `${folder}nowhere/` } } });
  const fetched = (): string[] => performance.getEntriesByType("resource").map(({ name }) => name);
  const isOfNowhere = (name: string): boolean => name.includes("/nowhere/");

  expect(part(root, "fieldset", HTMLElement).textContent).toContain("files.example");
  expect(await violations(root)).toEqual([]);
  click(root, "[name=wheels]");
  click(root, "[name=pyodide]");
  expect(part(root, "#start", HTMLButtonElement).disabled).toBe(true);
  click(root, "[name=wheels]");
  click(root, "#start");
  await isIn(root, "done");

  expect(resultOf(root).packages.map(({ name }) => name)).toEqual(["xxhash"]);
  expect(rowsOf(root, "numpy")[0]).toContain("not run yet");
  expect(fetched().filter(isOfNowhere)).toEqual([]);
});

test("Stop ends a check whose code hangs, and the page can begin again", async () => {
  const hanging: CheckedPackage = {
    ...xxhash,
    snippets: [{ id: "xxhash-hangs", title: "a loop", code: "while True: pass", expected: { value: 1 } }],
  };
  const root = openPage([hanging]);
  click(root, "#start");
  await vi.waitFor(() => {
    expect(rowsOf(root, "xxhash")[0]).toMatch(/20,869 [\d.]+ a loop/);
  }, untilAnswered);

  click(root, "#stop");
  await isIn(root, "stopped");

  expect(part(root, "[role=status]", HTMLElement).textContent).toBe("The check was stopped.");
  expect(resultOf(root).packages).toEqual([]);
  expect(part(root, "#start", HTMLButtonElement).disabled).toBe(false);
});

#!/usr/bin/env node
// `npm run examples`: builds the example of each documentation tool from the packed library, opens it in a browser and runs its
// cells. It installs what each needs with npm or pip, in a folder of its own that it removes.
//
//   node examples/run.mjs                 all of them, and the table in docs/embed.md
//   node examples/run.mjs mkdocs sphinx   some of them, without the table

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findChromium } from "../.ci/browser.mjs";
import { ensureDependencies, root } from "../.ci/set-up.mjs";

ensureDependencies();

/** Milliseconds in which a command must have ended. */
const COMMAND_LIMIT = 600_000;

/** Why an example was not run: something that it needs cannot be had here. */
class NotRun extends Error {}

/**
 * How each is built: into which folder, below which the widget then lies, and what it was built with.
 *
 * @type {Record<string, { tool: string, build: (place: Place) => Built }>}
 *
 * `note` follows the outcome in the table.
 *
 * @typedef {{ site: string, widget: string, versions: string, note?: string }} Built
 * @typedef {{ folder: string, site: string, python: (...args: string[]) => string, run: (command: string, ...args: string[]) => string }} Place
 */
const EXAMPLES = {
  vitepress: {
    tool: "VitePress",
    build: (place) => {
      const versions = installFromNpm(place, "vitepress");
      place.run("npx", "vitepress", "build");
      return { site: join(place.folder, "vitepress/.vitepress/dist"), widget: "vitrine", versions };
    },
  },
  mkdocs: {
    tool: "MkDocs Material",
    build: ({ folder, python }) => {
      python("-m", "pip", "install", "--quiet", "mkdocs-material", join(folder, "mkdocs"));
      python("-m", "mkdocs", "build", "--quiet", "--config-file", join(folder, "mkdocs/mkdocs.yml"));
      const site = join(folder, "mkdocs/site");
      wheelOfShop({ folder, python }, join(site, "wheels"));
      return { site, widget: "vitrine", versions: versionsOf(python, "mkdocs-material", "mkdocs") };
    },
  },
  sphinx: {
    tool: "Sphinx with MyST",
    build: ({ folder, python }) => {
      python("-m", "pip", "install", "--quiet", "myst-parser", "furo", join(folder, "sphinx"));
      const site = join(folder, "sphinx/_build");
      python("-m", "sphinx", "--quiet", "--fail-on-warning", join(folder, "sphinx"), site);
      return { site, widget: "_static/vitrine", versions: versionsOf(python, "sphinx", "myst-parser", "furo") };
    },
  },
  docusaurus: {
    tool: "Docusaurus",
    build: (place) => {
      const versions = installFromNpm(place, "@docusaurus/core");
      place.run("npx", "docusaurus", "build");
      return { site: join(place.folder, "docusaurus/build"), widget: "vitrine", versions };
    },
  },
  starlight: {
    tool: "Astro Starlight",
    build: (place) => {
      const versions = installFromNpm(place, "@astrojs/starlight", "astro");
      place.run("npx", "astro", "build");
      return { site: join(place.folder, "starlight/dist"), widget: "vitrine", versions };
    },
  },
  quarto: {
    tool: "Quarto",
    build: ({ site, run }) => {
      const quarto = versionOfProgram("quarto");
      if (quarto !== null) {
        run("quarto", "render");
        return { site: join(site, "_site"), widget: "vitrine", versions: `quarto ${quarto}` };
      }
      // Quarto is on neither npm nor PyPI. Its filters are pandoc's, which Debian has.
      const pandoc = versionOfProgram("pandoc");
      if (pandoc === null) throw new NotRun("it needs Quarto, or pandoc for its filter alone");
      mkdirSync(join(site, "_site"));
      const header = ["--include-in-header", "header.html"];
      const filter = ["--lua-filter", "_extensions/vitrine/vitrine.lua"];
      const files = ["index.qmd", "--from", "markdown", "--to", "html5", "--output", "_site/index.html"];
      run("pandoc", "--standalone", ...header, ...filter, ...files);
      const note = ", made by the filter in pandoc; Quarto itself was not run here";
      return { site: join(site, "_site"), widget: "vitrine", versions: `pandoc ${pandoc}`, note };
    },
  },
};

process.exitCode = await main(process.argv.slice(2));

/** @param {readonly string[]} names */
async function main(names) {
  const unknown = names.filter((name) => !(name in EXAMPLES));
  if (unknown.length > 0) {
    console.error(`There is no example ${unknown.join(", ")}. There are ${Object.keys(EXAMPLES).join(", ")}.`);
    return 2;
  }
  if (!existsSync(join(root, "dist/command-line/vitrine.js"))) {
    console.log("Building the library.");
    command("npm", ["run", "build:library"], root);
  }
  const rows = [];
  let failures = 0;
  for (const [name, example] of Object.entries(EXAMPLES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const { versions, outcome, isFailure } = await outcomeOf(name, example);
    console.log(`${example.tool} (${versions}): ${outcome}`);
    const link = existsSync(join(root, "examples", name)) ? `[${example.tool}](../examples/${name})` : example.tool;
    rows.push(`| ${link} | ${versions} | ${outcome} |`);
    if (isFailure) failures += 1;
  }
  if (names.length === 0) writeTable(rows);
  return failures === 0 ? 0 : 1;
}

/**
 * @param {string} name
 * @param {(typeof EXAMPLES)[string]} example
 */
async function outcomeOf(name, { tool, build }) {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-example-"));
  let versions = "–";
  try {
    console.log(`Building ${tool}.`);
    for (const part of [name, "shop"]) {
      const source = join(root, "examples", part);
      if (existsSync(source)) cpSync(source, join(folder, part), { recursive: true });
    }
    const built = build(placeOf(folder, name));
    ({ versions } = built);
    mkdirSync(join(built.site, built.widget, ".."), { recursive: true });
    if (!existsSync(join(built.site, built.widget)))
      symlinkSync(join(root, "dist"), join(built.site, built.widget), "dir");
    const { outcome, isFailure } = await runCells(built.site);
    return { versions, outcome: `${outcome}${built.note ?? ""}`, isFailure };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    if (error instanceof NotRun) return { versions, outcome: `not run here: ${reason}`, isFailure: false };
    console.error(error);
    return { versions, outcome: `failed: ${reason}`, isFailure: true };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} name @returns {Place} */
function placeOf(folder, name) {
  const environment = join(folder, "environment");
  const binary = join(environment, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  return {
    folder,
    site: join(folder, name),
    run: (program, ...args) => command(program, args, join(folder, name)),
    python: (...args) => {
      if (!existsSync(binary)) {
        const made = spawnSync("python3", ["-m", "venv", environment], { encoding: "utf8" });
        if (made.status !== 0) throw new NotRun("it needs Python 3 with venv");
      }
      return command(binary, args, folder);
    },
  };
}

/** Installs what an example's package.json names, and gives it this library. @returns the versions of what is named */
function installFromNpm(/** @type {Place} */ { site, run }, /** @type {string[]} */ ...names) {
  const manifest = JSON.parse(readFileSync(join(site, "package.json"), "utf8"));
  for (const list of [manifest.dependencies, manifest.devDependencies]) delete list?.vitrine;
  writeFileSync(join(site, "package.json"), JSON.stringify(manifest));
  run("npm", "install", "--no-audit", "--no-fund", "--no-package-lock");
  const library = join(site, "node_modules/vitrine");
  mkdirSync(library, { recursive: true });
  cpSync(join(root, "package.json"), join(library, "package.json"));
  symlinkSync(join(root, "dist"), join(library, "dist"), "dir");
  const version = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(site, "node_modules", name, "package.json"), "utf8")).version;
  return names.map((name) => `${name} ${version(name)}`).join(", ");
}

/** The wheel of a library that documents itself, as it is in this commit, for cells that import it. */
function wheelOfShop(/** @type {Pick<Place, "folder" | "python">} */ { folder, python }, /** @type {string} */ wheels) {
  python("-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, join(folder, "shop"));
  writeFileSync(join(wheels, "index.json"), JSON.stringify(["vitrine_example_shop-0.1.0-py3-none-any.whl"]));
}

function versionsOf(/** @type {Place["python"]} */ python, /** @type {string[]} */ ...names) {
  const code = "import sys, importlib.metadata as m\nprint(', '.join(f'{n} {m.version(n)}' for n in sys.argv[1:]))";
  return python("-c", code, ...names).trim();
}

/** Of a program that says it on its first line, as the last word; null where there is none. */
function versionOfProgram(/** @type {string} */ name) {
  const { status, stdout } = spawnSync(name, ["--version"], { encoding: "utf8" });
  return status === 0 ? (stdout.split("\n")[0]?.trim().split(" ").at(-1) ?? null) : null;
}

/** Has `vitrine check` run every cell that a reader sees, and hold it to what its author shows. */
async function runCells(/** @type {string} */ site) {
  const executable = await findChromium();
  if (executable === null) throw new NotRun("it needs Chromium");
  const args = [join(root, "dist/command-line/vitrine.js"), "check", site, "--json", "--executable", executable];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    timeout: COMMAND_LIMIT,
  });
  if (!stdout.startsWith("{")) throw new Error(`vitrine check failed\n${stderr}`);
  const { ok, pages = [], error } = JSON.parse(stdout);
  if (error !== undefined) throw new Error(error.message);
  const cells = pages.flatMap((/** @type {{ cells: object[] }} */ page) => page.cells);
  if (ok) return { outcome: `${cells.length} of ${cells.length} cells ran`, isFailure: false };
  const problems = [
    ...pages.flatMap((/** @type {{ problem: string | null }} */ page) => page.problem ?? []),
    ...cells
      .filter((/** @type {{ outcome: string }} */ cell) => cell.outcome === "failed")
      .map((/** @type {{ number: number, message: string }} */ { number, message }) => `cell ${number}: ${message}`),
  ];
  return { outcome: `failed: ${problems.join("; ") || "there are no cells"}`, isFailure: true };
}

/** @param {string} program @param {readonly string[]} args @param {string} cwd */
function command(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8", timeout: COMMAND_LIMIT });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 4).join(" ")} failed\n${stdout}${stderr}`);
  return stdout;
}

/** Between two lines of docs/embed.md that say where. */
function writeTable(/** @type {readonly string[]} */ rows) {
  const path = join(root, "docs/embed.md");
  const commit = command("git", ["rev-parse", "--short", "HEAD"], root).trim();
  const date = new Date().toISOString().slice(0, 10);
  const table = [`Commit ${commit}, ${date}:`, "", "| tool | versions | outcome |", "| --- | --- | --- |", ...rows];
  const [before, rest] = readFileSync(path, "utf8").split("<!-- examples -->\n");
  const after = rest?.split("<!-- end of examples -->\n")[1];
  if (before === undefined || after === undefined) throw new Error("docs/embed.md has no place for the table.");
  const text = `${before}<!-- examples -->\n${table.join("\n")}\n<!-- end of examples -->\n${after}`;
  writeFileSync(path, text);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { ensureChromium, ensureFirefox, ensureWebKit } from "../../.ci/browser.mjs";
import { serveFolder } from "../../.ci/static-server.mjs";
import { EngineMissingError, launchEngine, type EngineName } from "../engines/drivers/index.js";
import { readKnownFiles } from "./known-files.js";
import { parseOptions, USAGE, type Options } from "./options.js";
import { readResults, ResultsError } from "./read-results.js";
import { runInEngine } from "./run-in-engine.js";
import { checkedPackages } from "./snippets/index.js";
import { writeDocument } from "./write-document.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const document = new URL("docs/packages.md", pathToFileURL(root));
const resultsFolder = new URL("docs/packages-results/", pathToFileURL(root));

const ensure: Readonly<Record<EngineName, () => unknown>> = {
  chromium: () => ensureChromium(),
  firefox: () => ensureFirefox(),
  webkitgtk: () => ensureWebKit(),
};

/** @returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  try {
    return await carryOut(options);
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function carryOut(options: Options): Promise<number> {
  switch (options.kind) {
    case "help":
      console.log(USAGE);
      return 0;
    case "write":
      return await write();
    case "check":
      return await check();
    case "build": {
      const folder = resolve(options.folder);
      await build(folder);
      console.log(`The check is in ${folder}: serve it, and open packages-check.html.`);
      return 0;
    }
    case "serve": {
      const { url } = await serveFolder(await build());
      console.log(`The package check is at ${url}packages-check.html (Ctrl+C ends it).`);
      return await new Promise<never>(() => undefined);
    }
    case "run":
      return await run(options.engines, options.areNamed);
  }
}

/** Builds the page, beside what else is in the folder where one is named. Answers with its folder. */
async function build(folder?: string): Promise<string> {
  // A process of its own: what loads this module lets go of its loader, which plugins still need.
  const args = [`${root}node_modules/vite/bin/vite.js`, "build", "--config", "test/packages-check/vite.config.ts"];
  if (folder !== undefined) args.push("--outDir", folder, "--emptyOutDir", "false");
  const env = { ...process.env, NODE_ENV: "production" };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`The check could not be built; vite ended with code ${String(code)}.`);
  return folder ?? `${root}node_modules/.cache/vitrine-packages-check`;
}

async function run(engines: readonly EngineName[], areNamed: boolean): Promise<number> {
  console.log("Building the check.");
  const server = await serveFolder(await build());
  let failed = 0;
  try {
    for (const name of engines) {
      try {
        await ensure[name]();
        await runOne(name, server.url);
      } catch (error) {
        if (!(error instanceof EngineMissingError)) throw error;
        console.log(`Skipped: ${error.message}`);
        if (areNamed) failed += 1;
      }
    }
  } finally {
    await server.close();
  }
  return Math.max(await write(), failed === 0 ? 0 : 1);
}

/** Leaves the result in the folder of results, in the place of the last one from here. */
async function runOne(name: EngineName, url: string): Promise<void> {
  const engine = await launchEngine(name);
  console.log(engine.version);
  try {
    const result = await runInEngine(engine, url, console.log);
    await mkdir(resultsFolder, { recursive: true });
    await writeFile(new URL(`here-${name}.json`, resultsFolder), `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await engine.close();
  }
}

async function write(): Promise<number> {
  const text = await documentText();
  await writeFile(document, text);
  console.log(text.slice(2, text.indexOf("\n")));
  return 0;
}

async function check(): Promise<number> {
  const [text, now] = await Promise.all([documentText(), readFile(document, "utf8").catch(() => "")]);
  if (text === now) return 0;
  console.log(
    'docs/packages.md differs from its results and snippets: run "npm run packages -- --write", or without --write where snippets changed.',
  );
  return 1;
}

async function documentText(): Promise<string> {
  const known = await readKnownFiles();
  return writeDocument(checkedPackages, await readResults(resultsFolder, known), known);
}

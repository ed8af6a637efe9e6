#!/usr/bin/env node
// `npm start`: sets up what is missing, builds the demo and opens it. `npm start -- --dev` serves the sources instead, so
// that edits show at once; the page then asks for hundreds of files and takes seconds to appear.

import { parseArgs } from "node:util";

import { ensureDependencies, root } from "./set-up.mjs";

const { values } = parseArgs({
  options: {
    dev: { type: "boolean", default: false },
    out: { type: "string", default: "dist-demo" },
    port: { type: "string" },
  },
});

ensureDependencies();

const { build, createServer, preview } = await import("vite");
const address = {
  host: "127.0.0.1",
  open: hasDisplay(),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
};
const server = values.dev ? await serveSources() : await serveBuild();
console.log(`\nVitrine is at ${server.resolvedUrls?.local[0] ?? ""} (Ctrl+C ends it).`);

async function serveSources() {
  console.log("Starting the demo from its sources.");
  const sources = await createServer({ root, server: address, clearScreen: false });
  return sources.listen();
}

async function serveBuild() {
  const seconds = await timed("Building the demo, which takes about 10 s", () =>
    build({ root, logLevel: "error", build: { outDir: values.out, emptyOutDir: true } }),
  );
  console.log(`Built in ${seconds} s.`);
  return preview({ root, build: { outDir: values.out }, preview: address });
}

/** Runs `work` and shows that it goes on. @returns the seconds that it took. */
async function timed(text, work) {
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(`${text} `);
  const ticks = setInterval(() => process.stdout.write("."), 1000);
  try {
    await work();
  } finally {
    clearInterval(ticks);
    process.stdout.write("\n");
  }
  return seconds();
}

function hasDisplay() {
  if (process.env.CI || process.env.BROWSER === "none") return false;
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

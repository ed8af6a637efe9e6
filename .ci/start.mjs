#!/usr/bin/env node
// `npm start`: sets up what is missing and opens the demo.

import { ensureDependencies, root } from "./set-up.mjs";

ensureDependencies();

const { createServer } = await import("vite");
console.log("Starting the demo.");
const server = await createServer({ root, server: { host: "127.0.0.1", open: hasDisplay() }, clearScreen: false });
await server.listen();

console.log(`\nVitrine is at ${server.resolvedUrls?.local[0] ?? ""} (Ctrl+C ends it).`);

function hasDisplay() {
  if (process.env.CI || process.env.BROWSER === "none") return false;
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

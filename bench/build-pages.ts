import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Builds the pages of a program with a `vite.config.ts` of its own. Answers with their folder. */
export async function buildPages(program: "bench" | "eval"): Promise<string> {
  await build(`pages of ${program}`, ["--config", `${program}/vite.config.ts`]);
  return `${root}node_modules/.cache/vitrine-${program}`;
}

/** Builds the library as it is published. Answers with what is its folder `dist` elsewhere. */
export async function buildLibrary(): Promise<string> {
  const folder = `${root}node_modules/.cache/vitrine-bench-library`;
  await build("library", ["--mode", "library", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"]);
  return folder;
}

async function build(what: string, options: readonly string[]): Promise<void> {
  // A process of its own: what loads this module lets go of its loader, which plugins still need.
  const args = [`${root}node_modules/vite/bin/vite.js`, "build", ...options];
  // What runs this is Vite as well, and has said here that it develops: libraries would bring their slower halves along.
  const env = { ...process.env, NODE_ENV: "production" };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`Building the ${what} failed; vite ended with code ${String(code)}.`);
}

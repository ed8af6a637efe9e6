import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { LONG_TEST } from "../../timeouts.mjs";

const script = fileURLToPath(new URL("../../../.ci/start.mjs", import.meta.url));

/** Starts the demo as a person would, without a browser. `address` comes once it is served. */
function start(...options: string[]) {
  const child = spawn(process.execPath, [script, "--port", "0", ...options], {
    env: { ...process.env, BROWSER: "none", NODE_ENV: "production" },
  });
  const output: string[] = [];
  const address = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      output.push(chunk.toString());
      const found = /Vitrine is at (\S+)/.exec(output.join(""))?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`It ended with ${String(code)}: ${output.join("")}`)));
  });
  return { address, output: () => output.join(""), stop: () => child.kill() };
}

test("npm start says that it builds, and serves what it built", { timeout: LONG_TEST }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-start-"));
  const demo = start("--out", folder);
  try {
    const page = await (await fetch(await demo.address)).text();

    expect(demo.output()).toMatch(/Building the demo, which takes about 10 s [.][^]*\nBuilt in \d+ s\./);
    expect(page).toMatch(/src="\.\/assets\/index-[^"]+\.js"/);
    expect(page).not.toContain("/src/ui/main.ts");
  } finally {
    demo.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("npm start -- --dev serves the sources", { timeout: LONG_TEST }, async () => {
  const demo = start("--dev");
  try {
    expect(await (await fetch(await demo.address)).text()).toContain("/src/ui/main.ts");
  } finally {
    demo.stop();
  }
});

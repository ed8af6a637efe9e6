import { spawn } from "node:child_process";

import { SUITE } from "../test/timeouts.mjs";
import { root } from "./set-up.mjs";

/**
 * Runs a script in Node and collects what it prints. One that hangs is ended, so that what comes after it is run.
 *
 * @param {readonly string[]} command - the script and its arguments.
 * @param {{stdio?: "inherit" | "pipe", env?: object}} [options]
 * @returns {Promise<{code: number, output: string}>} `output` is empty where it was not piped.
 */
export async function runNode(command, { stdio = "pipe", env = {} } = {}) {
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", stdio, stdio] };
  const child = spawn(process.execPath, command, options);
  let output = "";
  child.stdout?.on("data", (text) => (output += text));
  child.stderr?.on("data", (text) => (output += text));
  const late = setTimeout(() => {
    output += `\n${command.slice(0, 2).join(" ")}: stopped, since it did not end within ${SUITE / 60_000} minutes.`;
    child.kill();
    setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
  }, SUITE);
  try {
    return await new Promise((resolve) => {
      child.on("error", (error) => resolve({ code: 1, output: `${output}${error.message}` }));
      child.on("close", (code) => resolve({ code: code ?? 1, output }));
    });
  } finally {
    clearTimeout(late);
  }
}

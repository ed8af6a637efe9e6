import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { USAGE } from "../../eval/options.js";
import { LONG_TEST } from "../timeouts.mjs";

const command = fileURLToPath(new URL("../../eval/run.mjs", import.meta.url));

test(
  "the command starts outside of the tests, with all that the agents import",
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [command, "--help"]);

    expect(stdout.trim()).toBe(USAGE);
  },
  LONG_TEST,
);

import { expect, test } from "vitest";

import { supportedCapabilities } from "../../../src/session/capabilities.js";

const always = ["timeout", "reset", "process_isolation", "filesystem_isolation", "memory_limit"];

test.each([
  ["sandboxed", [...always, "deps_install", "deps_uninstall", "network_filtering", "network_isolation"]],
  ["isolated", [...always, "deps_install", "deps_uninstall", "network_filtering"]],
  ["local", [...always, "deps_install", "deps_uninstall"]],
] as const)("a session at `%s` says all that it can do", (trust, names) => {
  expect([...supportedCapabilities(trust, { executor: undefined, canInstall: true })]).toEqual(names);
});

test("a session whose packages are fixed installs and removes none", () => {
  const supported = supportedCapabilities("local", { executor: undefined, canInstall: false });

  expect([supported.has("deps_install"), supported.has("deps_uninstall")]).toEqual([false, false]);
});

import { describe, expect, test } from "vitest";

import { readArguments } from "../../../src/command-line/read-arguments.js";
import { runCommandLine } from "../../../src/command-line/run-command-line.js";

test("pages are all that check has to be given", () => {
  expect(readArguments(["check", "site", "more/*.html"], "/project")).toEqual({
    kind: "check-site",
    json: false,
    options: {
      names: ["site", "more/*.html"],
      root: undefined,
      base: "/",
      writes: false,
      limit: 120_000,
      browser: "chromium",
      executable: undefined,
      isHeaded: false,
      allowsNetwork: false,
    },
  });
});

test("check takes a root, a base, a limit and a browser", () => {
  const args = ["check", "site/guide", "--root", "site", "--base", "/shop/v2/", "--write", "--timeout", "2.5"];
  const more = ["--browser", "firefox", "--executable", "/opt/firefox", "--headed", "--allow-network", "--json"];

  expect(readArguments([...args, ...more], "/project")).toEqual({
    kind: "check-site",
    json: true,
    options: {
      names: ["site/guide"],
      root: "site",
      base: "/shop/v2/",
      writes: true,
      limit: 2500,
      browser: "firefox",
      executable: "/opt/firefox",
      isHeaded: true,
      allowsNetwork: true,
    },
  });
});

describe("a wrong call ends with 2, and says what is wrong", () => {
  test.each([
    { args: ["check"], says: "check needs the folder of a built site" },
    { args: ["check", "site", "--timeout", "soon"], says: '--timeout is a number of seconds, and not "soon".' },
    { args: ["check", "site", "--timeout", "0"], says: "--timeout is a number of seconds" },
    { args: ["check", "site", "--timeout", "9000000"], says: "--timeout is a number of seconds" },
    { args: ["check", "site", "--base", "shop"], says: "--base is a path that begins and ends with a slash" },
    { args: ["check", "site", "--base", "//shop.example/"], says: "--base is a path" },
    { args: ["check", "site", "--browser", "opera"], says: "--browser is one of chromium, firefox, webkit." },
    { args: ["check", "site", "--nonce"], says: "--nonce goes with csp, and this is check." },
    { args: ["check", "site", "--to", "x"], says: "--to goes with packages, and this is check." },
    { args: ["csp", "--write"], says: "--write goes with check, and this is csp." },
    { args: ["packages", "list", "--root", "x"], says: "--root goes with check, and this is packages list." },
    { args: ["check", "no-such-folder"], says: 'There is no file or folder "no-such-folder".' },
  ])("$args", async ({ args, says }) => {
    let out = "";
    let err = "";

    const code = await runCommandLine(args, {
      cwd: import.meta.dirname,
      out: { write: (text) => (out += text) },
      err: { write: (text) => (err += text) },
      own: { lockfile: "", files: "" },
    });

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ProgressLine } from "../../../src/command-line/progress-line.js";
import { readArguments } from "../../../src/command-line/read-arguments.js";
import { runCommandLine } from "../../../src/command-line/run-command-line.js";
import { startLocalServer } from "../../servers/local-server.js";
import { inventedWheel, startInventedIndex } from "./invented-index.js";
import { TrialSite } from "./trial-site.js";

let site: TrialSite;
beforeEach(async () => {
  site = await TrialSite.create();
});
afterEach(() => site.remove());

test("sources are asked in the order in which they are given, each with the options that follow it", () => {
  const command = readArguments(
    [
      ...["packages", "add", "quince", "medlar>=2", "--index", "https://first.example/simple"],
      ...["--host", "files.example", "--host", "more.example", "--lockfile", "locks/pyodide-lock.json"],
      ...["--files", "wheels", "--lockfile", "pyodide", "--files", "https://mirror.example/v1", "--to", "site/wheels"],
    ],
    "/site",
  );

  expect(command).toEqual({
    kind: "add",
    folder: "/site/site/wheels",
    json: false,
    upgrade: false,
    specs: ["quince", "medlar>=2"],
    sources: [
      { index: "https://first.example/simple", hosts: ["files.example", "more.example"] },
      { lockfile: "file:///site/locks/pyodide-lock.json", files: "file:///site/wheels/" },
      { lockfile: "pyodide", files: "https://mirror.example/v1/" },
    ],
  });
});

describe("a wrong call ends with 2, and says what is wrong and how it is right", () => {
  test.each([
    { args: [], says: "Nothing to do." },
    { args: ["wheels"], says: 'There is no command "wheels".' },
    { args: ["packages"], says: "packages needs one of add, list, check, remove." },
    { args: ["packages", "ad", "quince"], says: 'There is no command packages "ad". Is add meant?' },
    { args: ["packages", "add"], says: "add needs the name of a package." },
    { args: ["packages", "remove"], says: "remove needs the name of a package." },
    { args: ["packages", "list", "quince"], says: "list takes no names" },
    { args: ["packages", "check", "--index", "https://x.example"], says: "--index goes with add, and this is check." },
    { args: ["packages", "add", "quince", "--cdn"], says: "--cdn" },
    { args: ["packages", "add", "quince", "--index", "simple"], says: '"simple" is no address' },
    { args: ["packages", "add", "quince", "--files", "x"], says: "--files goes right after the --lockfile" },
    { args: ["packages", "add", "quince", "--lockfile", "pyodide", "--host", "x"], says: "--host goes right after" },
  ])("$args", async ({ args, says }) => {
    let err = "";
    const ignore = { write: () => true };
    const own = { lockfile: "", files: "" };

    const code = await runCommandLine(args, { cwd: "/", out: ignore, err: { write: (text) => (err += text) }, own });

    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(err).toContain("vitrine packages add NAME…");
  });

  test("a specification that is none", async () => {
    const { code, err } = await site.run("add", "https://x.example/quince.whl");

    expect(code).toBe(2);
    expect(err).toContain("Invalid package specification");
  });
});

test("help goes to standard output, and is no fault", async () => {
  const { code, out } = await site.run("--help");

  expect(code).toBe(0);
  expect(out).toContain("--lockfile pyodide");
});

describe("a failure ends with 1, and says what it is about", () => {
  test("the one of several names that no source has", async () => {
    const index = await startInventedIndex([inventedWheel("quince", "1.0")]);

    const { code, err } = await site.run("add", "quince", "medlar", "--index", index.address);
    await index.close();

    expect(code).toBe(1);
    expect(err).toContain("medlar cannot be installed: no source has a package of that name.");
    expect(await site.names()).not.toContain("index.json");
  });

  test("a server that cannot be reached, with the system's reason", async () => {
    const server = await startLocalServer((_request, response) => response.end());
    await server.close();

    const { code, err } = await site.run("add", "quince", "--index", server.origin);

    expect(code).toBe(1);
    expect(err).toBe(`quince cannot be installed: ${server.origin}/quince/ cannot be reached. (ECONNREFUSED)\n`);
  });

  test("a host that the index sends to, and how it is allowed", async () => {
    const server = await startLocalServer((_request, response) => {
      const file = { filename: "quince-1.0-py3-none-any.whl", url: "https://files.example/quince.whl", hashes: {} };
      response.end(JSON.stringify({ files: [file] }));
    });

    const { code, err } = await site.run("add", "quince", "--index", server.origin);
    await server.close();

    expect(code).toBe(1);
    expect(err).toContain("files.example is not among the `hosts` of the index");
    expect(err).toContain("Allow it with --host, after that --index.");
  });

  test("a folder that cannot be written", async () => {
    await site.write("public", "a file, where a folder should be");

    const { code, err } = await site.run("list");

    expect(code).toBe(1);
    expect(err).toContain("ENOTDIR");
  });
});

describe("progress", () => {
  test("is one line of a terminal, as long as that is wide", () => {
    const written: string[] = [];
    const line = new ProgressLine({ write: (text) => written.push(text), isTTY: true, columns: 30 });

    line.show(1_000_000, 3_000_000, "quince-1.0-py3-none-any.whl");
    line.show(1_000_001, 3_000_000, "quince-1.0-py3-none-any.whl");
    line.show(2_000_000, undefined, "quince-1.0-py3-none-any.whl");
    line.end();

    const clear = "\r\u001B[2K";
    expect(written).toEqual([`${clear}1.0 MB of 3.0 MB  quince-1.0-`, `${clear}2.0 MB  quince-1.0-py3-none-a`, clear]);
  });

  test("is nothing where no person looks", () => {
    const written: string[] = [];

    new ProgressLine({ write: (text) => written.push(text) }).show(1, 2, "quince");

    expect(written).toEqual([]);
  });
});

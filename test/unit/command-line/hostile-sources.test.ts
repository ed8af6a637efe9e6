import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

import { strToU8, zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { startLocalServer, type LocalServer } from "../../servers/local-server.js";
import {
  inventedWheel,
  lockfileOf,
  sha256Of,
  startInventedIndex,
  type InventedWheel,
  type LockedFile,
} from "./invented-index.js";
import { namesOf, TrialSite } from "./trial-site.js";

let site: TrialSite;
const servers: LocalServer[] = [];
beforeEach(async () => {
  site = await TrialSite.create();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await site.remove();
});

function locked(wheel: InventedWheel, more: Partial<LockedFile> = {}): LockedFile {
  const [name = "", version = ""] = wheel.file.split("-");
  const { file, sha256 } = wheel;
  return { name, version, file_name: file, sha256, package_type: "package", depends: [], imports: [], ...more };
}

/** Serves a lockfile at `/lock.json`, and the same bytes at every other path. */
async function serveLock(files: readonly LockedFile[], bytes: Uint8Array): Promise<string> {
  const server = await startLocalServer((request, response) => {
    response.end(request.url === "/lock.json" ? lockfileOf(files) : bytes);
  });
  servers.push(server);
  return `${server.origin}/lock.json`;
}

describe("names of files that servers give", () => {
  const wheel = inventedWheel("quince", "1.0");

  test.each([
    ["../quince-1.0-py3-none-any.whl", "DEP_UNAVAILABLE", "not_found"],
    ["..%2Fquince-1.0-py3-none-any.whl", "PACKAGE_FOLDER", "name"],
    ["deeper/quince-1.0-py3-none-any.whl", "DEP_UNAVAILABLE", "not_found"],
    ["quince-1.0-py3-none-any\\..\\x.whl", "DEP_UNAVAILABLE", "not_found"],
    [".quince-1.0-py3-none-any.whl", "PACKAGE_FOLDER", "name"],
    ["index.json", "PACKAGE_FOLDER", "name"],
    ["medlar-1.0-py3-none-any.whl", "PACKAGE_FOLDER", "name"],
  ])("do not lead out of the folder, or to another package: %s", async (file_name, error, why) => {
    const lock = await serveLock([locked(wheel, { file_name, package_type: "shared_library" })], wheel.bytes);

    const { code, out } = await site.run("add", "quince", "--lockfile", lock, "--json");

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: { code: error, why } });
    expect((await site.names()).filter((name) => name !== ".unfinished")).toEqual([]);
    expect((await site.names(".")).filter((name) => name !== "public")).toEqual([]);
  });

  test("are no way to files of this machine", async () => {
    await site.write("quince-1.0-py3-none-any.whl", wheel.bytes);
    const file_name = pathToFileURL(site.path("quince-1.0-py3-none-any.whl")).href;
    const lock = await serveLock([locked(wheel, { file_name, package_type: "shared_library" })], wheel.bytes);

    const { code, out } = await site.run("add", "quince", "--lockfile", lock, "--json");

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "DEP_UNAVAILABLE", why: "not_found" } });
    expect(await site.names()).toEqual([]);
  });
});

test("words of others stay words: in the notice, and on a terminal", async () => {
  const licence = "MIT | \u001B[31m<img src=x>";
  const index = await startInventedIndex([inventedWheel("quince", "1.0", { headers: [`License: ${licence}`] })]);
  servers.push(index);

  const { out } = await site.run("add", "quince", "--index", index.address);

  expect(await site.read("public/packages/LICENSES.md")).toContain("| quince | 1.0 | MIT \\|  \\[31m\\<img src=x\\> |");
  expect(out).toContain("MIT | ?[31m<img src=x>");
});

test("a file with another hash than its source says is not kept", async () => {
  const lock = await serveLock([locked(inventedWheel("quince", "1.0"))], strToU8("something else"));

  const { code, err } = await site.run("add", "quince", "--lockfile", lock);

  expect(code).toBe(1);
  expect(err).toContain("quince-1.0-py3-none-any.whl is not the file that is meant");
  expect(await site.names()).toEqual([]);
});

test("a download that breaks off leaves the folder as it was, and the next one fetches what is missing", async () => {
  const [first, second, third] = [
    inventedWheel("quince", "1.0"),
    inventedWheel("medlar", "1.0", { needs: ["quince"] }),
    inventedWheel("sorb", "1.0"),
  ];
  const requests: string[] = [];
  let isBroken = true;
  let quinceEnded: Promise<unknown> = Promise.resolve();
  const server = await startLocalServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    const wheel = [first, second, third].find(({ file }) => path === `/${file}`);
    if (path === "/lock.json") {
      response.end(lockfileOf([locked(first), locked(second, { depends: ["quince"] }), locked(third)]));
    } else if (wheel === second && isBroken) {
      // In the middle of it, and after the other file has gone.
      response.writeHead(200, { "content-length": wheel.bytes.length });
      response.write(wheel.bytes.subarray(0, 20));
      void quinceEnded.then(() => response.destroy());
    } else {
      if (wheel === first) quinceEnded = once(response, "close");
      response.end(wheel?.bytes);
    }
  });
  servers.push(server);
  const lock = ["--lockfile", `${server.origin}/lock.json`];
  await site.run("add", "sorb", ...lock);
  const before = await site.read("public/packages/index.json");

  const broken = await site.run("add", "quince", "medlar", ...lock);

  expect(broken.code).toBe(1);
  expect(broken.err).toContain(`${server.origin}/${second.file} cannot be reached.`);
  expect(await site.read("public/packages/index.json")).toBe(before);
  expect(namesOf(await site.inSession("sorb"))).toEqual(["sorb"]);

  isBroken = false;
  requests.length = 0;
  expect((await site.run("add", "medlar", ...lock)).code).toBe(0);
  expect(requests).not.toContain(`/${third.file}`);
  expect(requests).toContain(`/${second.file}`);
  expect(namesOf(await site.inSession("medlar"))).toEqual(["medlar", "quince"]);
  expect(await site.names()).not.toContain(".unfinished");
});

test("a server is asked for six files at a time", async () => {
  const wheels = Array.from({ length: 10 }, (_, at) => inventedWheel(`quince${String(at)}`, "1.0"));
  let [open, most] = [0, 0];
  const server = await startLocalServer((request, response) => {
    if (request.url === "/lock.json") {
      response.end(lockfileOf(wheels.map((wheel) => locked(wheel))));
      return;
    }
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
      response.end(wheels.find(({ file }) => request.url === `/${file}`)?.bytes);
    });
  });
  servers.push(server);
  const names = wheels.map((_, at) => `quince${String(at)}`);

  const { code } = await site.run("add", ...names, "--lockfile", `${server.origin}/lock.json`);

  expect(code).toBe(0);
  expect(most).toBeLessThanOrEqual(6);
  expect(await site.names()).toHaveLength(wheels.length + 2);
});

test("a shared library comes with its package, and sessions get it from the folder", async () => {
  const wheel = inventedWheel("quince", "1.0");
  const library = zipSync({ "libquince.so": strToU8("\0asm") });
  const files = [
    locked(wheel, { depends: ["libquince"], imports: ["quince"] }),
    locked(
      { file: "libquince-2.1.zip", bytes: library, sha256: sha256Of(library) },
      {
        version: "2.1",
        package_type: "shared_library",
      },
    ),
  ];
  const server = await startLocalServer((request, response) => {
    if (request.url === "/lock.json") response.end(lockfileOf(files));
    else response.end(request.url?.endsWith(".zip") === true ? library : wheel.bytes);
  });
  servers.push(server);

  expect((await site.run("add", "quince", "--lockfile", `${server.origin}/lock.json`)).code).toBe(0);

  expect(await site.entry(/\.zip$/)).toMatchObject({ file: "libquince-2.1.zip", needs: [], asked: false });
  const contents = await site.inSession("quince");
  expect(contents.map(({ filename }) => filename).sort()).toEqual(["libquince-2.1.zip", wheel.file]);
  expect(await site.read("public/packages/LICENSES.md")).toContain("| libquince | 2.1 | not said | none |");
  expect(new Uint8Array(await readFile(site.path("public/packages/libquince-2.1.zip")))).toEqual(library);
});

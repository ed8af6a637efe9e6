import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { startPackageServer, type PackageServer } from "../../servers/package-server.js";
import { inventedWheel, startInventedIndex, type InventedIndex, type InventedWheel } from "./invented-index.js";
import { namesOf, TrialSite } from "./trial-site.js";

let site: TrialSite;
let published: PackageServer;
let invented: InventedIndex | undefined;
beforeAll(async () => {
  published = await startPackageServer();
});
afterAll(() => published.close());
beforeEach(async () => {
  site = await TrialSite.create();
});
afterEach(async () => {
  await invented?.close();
  invented = undefined;
  await site.remove();
});

async function serve(...wheels: InventedWheel[]): Promise<string> {
  invented = await startInventedIndex(wheels);
  return invented.address;
}

const lockfile = (): string[] => ["--lockfile", `${published.origin}/pyodide/pyodide-lock.json`];
const addPydantic = async (): Promise<unknown> => site.run("add", "pydantic", ...lockfile());

const PYDANTIC_CORE = "pydantic_core-2.50.5-cp314-cp314-pyemscripten_2026_0_wasm32.whl";
const TYPING_EXTENSIONS = "typing_extensions-4.16.0-py3-none-any.whl";

describe("versions", () => {
  const one = inventedWheel("quince", "1.0");
  const two = inventedWheel("quince", "2.0");
  const needy = inventedWheel("medlar", "1.0", { needs: ["quince>=2"] });

  test("that are there stay while they will do", async () => {
    const address = await serve(one, two, needy);
    await site.run("add", "quince==1.0", "--index", address);

    await site.run("add", "quince", "--index", address);

    expect((await site.index()).map(({ file, asked }) => [file, asked])).toEqual([[one.file, "quince"]]);
  });

  test("are replaced where something new needs another one", async () => {
    const address = await serve(one, two, needy);
    await site.run("add", "quince==1.0", "--index", address);

    const refused = await site.run("add", "medlar", "--index", address);
    const { code, out } = await site.run("add", "medlar", "quince", "--index", address);

    expect(refused.code).toBe(1);
    expect(refused.err).toContain("no version is good for all who want it");
    expect(code).toBe(0);
    expect(out).toContain(`Replaced: ${one.file}.`);
    expect(await site.names()).toEqual(["LICENSES.md", "index.json", needy.file, two.file].sort());
    expect((await site.run("check")).code).toBe(0);
  });

  test("are the newest after --upgrade, which needs no name", async () => {
    await site.run("add", "quince", "--index", await serve(one));
    await invented?.close();

    const { code } = await site.run("add", "--upgrade", "--index", await serve(one, two));

    expect(code).toBe(0);
    expect((await site.index()).map(({ file }) => file)).toEqual([two.file]);
    expect(await site.names()).toEqual(["LICENSES.md", "index.json", two.file]);
  });

  test("cannot be upgraded where nothing was asked for", async () => {
    const { code, err } = await site.run("add", "--upgrade", "--index", await serve(one));

    expect(code).toBe(1);
    expect(err).toContain("Nothing was ever asked for");
    expect(await site.names("public")).toEqual([]);
  });

  test("for another Python are replaced as well", async () => {
    const old = "quince-1.0-cp313-cp313-pyemscripten_2025_0_wasm32.whl";
    await site.write(`public/packages/${old}`, one.bytes);
    await site.write(
      "public/packages/index.json",
      JSON.stringify([{ file: old, sha256: one.sha256, asked: "quince" }]),
    );
    const before = await site.run("check");

    const { code } = await site.run("add", "quince", "--index", await serve(two));

    expect(before).toMatchObject({ code: 1, out: expect.stringContaining("is not built for this Vitrine's Python") });
    expect(code).toBe(0);
    expect(await site.names()).toEqual(["LICENSES.md", "index.json", two.file]);
  });
});

describe("list", () => {
  test("says what is there, how large it is, and why", async () => {
    await addPydantic();

    const { code, out } = await site.run("list");

    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
      ["annotated-types", "0.8.0", "13.4 kB", "needed"],
      ["pydantic", "2.14.4", "494.9 kB", "asked for: pydantic"],
      ["pydantic-core", "2.50.5", "1.5 MB", "needed"],
      ["typing-extensions", "4.16.0", "45.6 kB", "needed"],
      ["typing-inspection", "0.4.5", "14.9 kB", "needed"],
      ["public/packages has 5 packages, 2.1 MB."],
      [""],
    ]);
  });

  test("says it to programs, too", async () => {
    await addPydantic();

    const { out } = await site.run("list", "--json");

    const { packages } = JSON.parse(out) as { packages: { name: string; version: string; asked: unknown }[] };
    expect(packages.find(({ name }) => name === "pydantic")).toMatchObject({ version: "2.14.4", asked: "pydantic" });
  });

  test("looks into the folder that is named, and says where there is none", async () => {
    await site.run("add", "xxhash", "--to", "elsewhere", ...lockfile());

    expect((await site.run("list", "--to", "elsewhere")).out).toContain("elsewhere has 1 package, 20.9 kB.");
    expect(await site.run("list")).toMatchObject({
      code: 1,
      err: 'public/packages has no index.json. "vitrine packages add NAME" makes one.\n',
    });
  });
});

describe("check", () => {
  test("finds a byte that changed, a file that is missing, and one that is not listed", async () => {
    await addPydantic();
    const bytes = await site.bytes(`public/packages/${PYDANTIC_CORE}`);
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    await site.write(`public/packages/${PYDANTIC_CORE}`, bytes);
    await site.delete(`public/packages/${TYPING_EXTENSIONS}`);
    await site.write("public/packages/quince-1.0-py3-none-any.whl", inventedWheel("quince", "1.0").bytes);

    const { code, out } = await site.run("check", "--json");

    expect(code).toBe(1);
    const { problems } = JSON.parse(out) as { problems: { file?: string; problem: string }[] };
    expect(problems.slice(0, 3)).toEqual([
      { file: PYDANTIC_CORE, problem: expect.stringContaining("is not the file that index.json lists") },
      { file: TYPING_EXTENSIONS, problem: "is missing" },
      { file: "quince-1.0-py3-none-any.whl", problem: "is not in index.json" },
    ]);
    expect(problems.slice(3).every(({ file, problem }) => file === undefined && problem.includes(" needs "))).toBe(
      true,
    );
  });

  test("finds what a package needs and the folder has not", async () => {
    const needy = inventedWheel("medlar", "1.0", { needs: ["quince>=2"] });
    await site.write(`public/packages/${needy.file}`, needy.bytes);
    await site.write("public/packages/index.json", JSON.stringify([needy.file]));

    const { code, out } = await site.run("check");

    expect(code).toBe(1);
    expect(out).toContain("medlar 1.0 needs quince>=2: the package folder has nothing of that name.");
    expect(out).toContain("public/packages: 1 package, 1 problem.");
  });

  test("finds names that lead out of the folder, wheels that are none, and what an interrupted add left", async () => {
    await site.write("outside-1.0-py3-none-any.whl", inventedWheel("outside", "1.0").bytes);
    await site.write("public/packages/torn-1.0-py3-none-any.whl", "PK");
    await site.write("public/packages/.unfinished/x.part", "PK");
    await site.write("public/packages/notes.txt", "");
    const files = ["../../outside-1.0-py3-none-any.whl", "torn-1.0-py3-none-any.whl", "notes.txt"];
    await site.write("public/packages/index.json", JSON.stringify(files));

    const { out } = await site.run("check", "--json");

    const { problems } = JSON.parse(out) as { problems: { file?: string; problem: string }[] };
    expect(problems.map(({ file, problem }) => `${file ?? ""} ${problem}`)).toEqual([
      "../../outside-1.0-py3-none-any.whl is no name of a file in the folder",
      "torn-1.0-py3-none-any.whl is damaged: it cannot be unpacked",
      "notes.txt is no name of a package's file, so that sessions do not find it",
      ".unfinished is left of an `add` that was interrupted; run it again",
    ]);
  });
});

describe("remove", () => {
  test("takes out a package and what only it needed", async () => {
    await addPydantic();
    await site.run("add", "typing-extensions", "xxhash", ...lockfile());

    const { code, out } = await site.run("remove", "pydantic");

    expect(code).toBe(0);
    expect(out).toContain("Removed 4 packages from public/packages.");
    expect(namesOf(await site.inSession("typing-extensions", "xxhash"))).toEqual(["typing-extensions", "xxhash"]);
    expect(await site.names()).toEqual([
      "LICENSES.md",
      "index.json",
      TYPING_EXTENSIONS,
      "xxhash-4.1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    ]);
    expect(await site.read("public/packages/LICENSES.md")).not.toContain("pydantic");
    expect((await site.run("check")).code).toBe(0);
  });

  test("leaves what the site's author listed, unless it is named", async () => {
    await addPydantic();
    const index = await site.index();
    const byHand = index.map((entry) => (entry.file === TYPING_EXTENSIONS ? entry.file : entry));
    await site.write("public/packages/index.json", JSON.stringify(byHand));

    await site.run("remove", "pydantic");
    expect(JSON.parse(await site.read("public/packages/index.json"))).toEqual([TYPING_EXTENSIONS]);

    expect((await site.run("remove", "Typing_Extensions")).code).toBe(0);
    expect(await site.names()).toEqual(["LICENSES.md", "index.json"]);
  });

  test("refuses what another package needs, and what is not there", async () => {
    await addPydantic();
    const before = await site.names();

    const needed = await site.run("remove", "pydantic-core", "--json");
    const unknown = await site.run("remove", "pydantik");

    expect(needed.code).toBe(1);
    expect(JSON.parse(needed.out)).toMatchObject({
      error: { code: "PACKAGE_FOLDER", why: "needed", message: expect.stringContaining("needed by pydantic") },
    });
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain("has no package pydantik. Is pydantic meant?");
    expect(await site.names()).toEqual(before);
  });

  test("takes out a damaged package, and leaves what another damaged one may need", async () => {
    const wheels = [
      inventedWheel("quince", "1.0"),
      inventedWheel("medlar", "1.0", { needs: ["quince"] }),
      inventedWheel("sorb", "1.0", { needs: ["quince"] }),
    ] as const;
    await site.run("add", "medlar", "sorb", "--index", await serve(...wheels));
    for (const { file } of wheels.slice(1)) await site.write(`public/packages/${file}`, "PK");

    const { code, out } = await site.run("remove", "medlar");

    expect(code).toBe(0);
    expect(out).toContain(`What ${wheels[2].file} needs cannot be read.`);
    expect((await site.index()).map(({ file }) => file)).toEqual([wheels[0].file, wheels[2].file]);
    await site.run("remove", "sorb");
    expect(await site.index()).toEqual([]);
  });
});

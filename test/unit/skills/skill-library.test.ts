import { beforeEach, describe, expect, test } from "vitest";

import {
  SkillLibrary,
  SkillSyntaxError,
  SkillValidationError,
  type SkillChange,
  type SkillInspector,
} from "../../../src/skills/index.js";
import { encodeText, listKeys, memoryStorage, seedStorage, type StorageBackend } from "../../../src/storage/index.js";

const triple = "async def run(n):\n    return n * 3";

let storage: StorageBackend;
let inspected: string[];
let skills: SkillLibrary;

/** Knows as much Python as these tests need. The real one is Python's `ast`, inside the interpreter. */
const inspect: SkillInspector = (name, source) => {
  inspected.push(name);
  if (source.includes("(:")) return Promise.reject(new SkillSyntaxError(name, "invalid syntax", 2));
  const parameters = /def run\((.*)\)/.exec(source)?.[1];
  if (parameters === undefined) return Promise.reject(new SkillValidationError(name, "Skill must define run()"));
  const [, description = ""] = /"""(.*?)"""/.exec(source) ?? [];
  const names = parameters.split(",").filter((parameter) => parameter !== "");
  return Promise.resolve({
    description,
    parameters: names.map((parameter) => ({ name: parameter.trim(), type: "string", description: "", required: true })),
  });
};

beforeEach(() => {
  storage = memoryStorage();
  inspected = [];
  skills = new SkillLibrary(storage, inspect);
});

describe("the room for all skills", () => {
  const sized = (size: number): string => `def run():\n    return 1\n#${"x".repeat(size)}`;

  test("is 20 million bytes of source: one that does not fit is refused, and what is there stays", async () => {
    for (let n = 0; n < 20; n += 1) await skills.create({ name: `s${String(n)}`, source: sized(990_000) });

    await expect(skills.create({ name: "more", source: sized(990_000) })).rejects.toMatchObject({
      code: "SKILLS_FULL",
      message: expect.stringContaining("the sources of all skills may have 20,000,000 bytes"),
    });
    expect(await skills.get("more")).toBeNull();

    await skills.delete("s0");
    await skills.create({ name: "more", source: sized(990_000) });
  });

  test("is for 1,000 of them, those counted that were there before", async () => {
    const sources = Array.from({ length: 1000 }, (_, n) => [`skills/s${String(n)}.py`, encodeText(sized(1))] as const);
    await storage.write(new Map(sources));

    await expect(skills.create({ name: "more", source: sized(1) })).rejects.toMatchObject({
      code: "SKILLS_FULL",
      message: expect.stringContaining("there may be 1,000 skills"),
    });
    await expect(skills.create({ name: "s0", source: sized(2) })).resolves.toMatchObject({ name: "s0" });
  });
});

describe("creating", () => {
  test("keeps source, description and parameters for the next session (E1, E34, E35)", async () => {
    const created = await skills.create({ name: "triple", description: "Triple", source: triple });

    expect(created).toEqual({
      name: "triple",
      description: "Triple",
      source: triple,
      parameters: [{ name: "n", type: "string", description: "", required: true }],
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      version: 1,
    });
    const later = new SkillLibrary(storage, inspect);
    expect(await later.get("triple")).toEqual(created);
    expect(await later.list()).toEqual({ skills: [created], problems: [] });
    expect(inspected).toEqual(["triple"]);
  });

  test("takes the description from the source where none is given (E15)", async () => {
    const source = 'def run():\n    """From the docstring."""';

    expect(await skills.create({ name: "a", source })).toMatchObject({ description: "From the docstring." });
    expect(await skills.create({ name: "b", source, description: " " })).toMatchObject({
      description: "From the docstring.",
    });
    expect(await skills.create({ name: "c", source, description: "Given" })).toMatchObject({ description: "Given" });
  });

  test("the hash is that of description and source (E39)", async () => {
    await storage.write(new Map([["skills/x.py", encodeText("s")]]));
    const library = new SkillLibrary(storage, () => Promise.resolve({ description: "d", parameters: [] }));

    expect((await library.get("x"))?.hash).toBe("9c8ea81f0341a9e1");
  });

  test.each([
    ["bad-name", "identifier"],
    ["", "identifier"],
    ["1x", "identifier"],
    ["a.b", "identifier"],
    ["../x", "identifier"],
    ["ﬁx", "identifier"],
    ["list", "Reserved skill name"],
    ["search", "Reserved skill name"],
    ["get", "Reserved skill name"],
    ["invoke", "Reserved skill name"],
    ["create", "Reserved skill name"],
    ["delete", "Reserved skill name"],
    ["class", "keyword"],
    ["None", "keyword"],
    ["_private", "starts with"],
    ["x".repeat(129), "longer"],
  ])("refuses the name %j (E12–E14)", async (name, message) => {
    const creation = skills.create({ name, source: triple });

    await expect(creation).rejects.toMatchObject({ name: "SkillValidationError", code: "SKILL_INVALID" });
    await expect(creation).rejects.toThrow(message);
    expect(await skills.get(name)).toBeNull();
    expect(await listKeys(storage, "")).toEqual([]);
  });

  test.each([
    [`${triple}${"\n".repeat(50_000)}`, "50000 lines at most"],
    [`${triple}${"\r\n".repeat(50_000)}`, "50000 lines at most"],
    [`${triple}#${"x".repeat(1_000_000)}`, "1000000 characters at most"],
  ])("refuses a source that is too long", async (source, message) => {
    await expect(skills.create({ name: "long", source })).rejects.toMatchObject({ code: "SKILL_INVALID" });
    await expect(skills.create({ name: "long", source })).rejects.toThrow(message);
    expect(await listKeys(storage, "")).toEqual([]);
  });

  test.each(["match", "größe", "名前", "Run2"])("accepts the name %j", async (name) => {
    await skills.create({ name, source: triple });

    expect((await skills.list()).skills.map((skill) => skill.name)).toEqual([name]);
  });

  test("a source that is no skill costs nothing that was there (E10, E11)", async () => {
    const before = await skills.create({ name: "a", source: triple });

    const broken = skills.create({ name: "a", source: "def run(:" });
    const without = skills.create({ name: "a", source: "x = 1" });

    await expect(broken).rejects.toMatchObject({ name: "SkillSyntaxError", code: "SKILL_SYNTAX", line: 2 });
    await expect(broken).rejects.toThrow("Syntax error in skill code: invalid syntax");
    await expect(without).rejects.toThrow("run");
    expect(await skills.get("a")).toEqual(before);
  });

  test("remembers the trust level of its author", async () => {
    await skills.create({ name: "a", source: triple, trust: "sandboxed" });

    expect(await new SkillLibrary(storage, inspect).get("a")).toMatchObject({ trust: "sandboxed" });
  });
});

describe("overwriting", () => {
  test("keeps what was before, newest first (E19)", async () => {
    await skills.create({ name: "a", source: triple, description: "one" });
    await skills.create({ name: "a", source: triple, description: "two" });
    const last = await skills.create({ name: "a", source: "def run(): pass" });

    expect(last.version).toBe(3);
    expect(await skills.versions("a")).toMatchObject([
      { version: 2, description: "two", source: triple },
      { version: 1, description: "one", source: triple },
    ]);
    expect((await skills.list()).skills).toEqual([last]);
  });

  test("with the same is no new version", async () => {
    const first = await skills.create({ name: "a", source: triple, description: "one" });

    expect(await skills.create({ name: "a", source: triple, description: "one" })).toEqual(first);
    expect(await skills.versions("a")).toEqual([]);
  });

  test("keeps the last 20 versions", async () => {
    for (let n = 1; n <= 25; n += 1) await skills.create({ name: "a", source: triple, description: String(n) });

    const versions = (await skills.versions("a")).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => 24 - index));
  });

  test("at the same time numbers every version once", async () => {
    await Promise.all(
      ["1", "2", "3", "4"].map((description) => skills.create({ name: "a", source: triple, description })),
    );

    expect((await skills.get("a"))?.version).toBe(4);
    expect(await skills.versions("a")).toHaveLength(3);
  });

  test("that does not fit leaves the old skill", async () => {
    const library = new SkillLibrary(memoryStorage({ limit: 2000 }), inspect);
    const old = await library.create({ name: "a", source: triple });

    await expect(library.create({ name: "a", source: `def run(): pass\n${"#".repeat(3000)}` })).rejects.toMatchObject({
      code: "STORAGE_FULL",
    });
    expect(await library.get("a")).toEqual(old);
  });
});

test("the page adds, gets, lists, finds and removes skills with their parameters (E40)", async () => {
  const added = await skills.create({ name: "triple", source: triple });

  expect(added.parameters).toEqual([{ name: "n", type: "string", description: "", required: true }]);
  expect(await skills.get("triple")).toEqual(added);
  expect(await skills.get("missing")).toBeNull();
  expect((await skills.list()).skills).toEqual([added]);
  expect(await skills.search("triple")).toMatchObject([added]);
  expect(await skills.delete("triple")).toBe(true);
  expect(await skills.delete("triple")).toBe(false);
});

test("deleting takes all that belonged to it, and says whether it was there (E8)", async () => {
  await skills.create({ name: "a", source: triple });
  await skills.create({ name: "a", source: "def run(): pass" });
  await skills.create({ name: "ab", source: triple });

  expect(await skills.delete("a")).toBe(true);
  expect(await skills.delete("a")).toBe(false);
  expect(await skills.delete("../ab")).toBe(false);
  expect(await skills.get("a")).toBeNull();
  expect(await listKeys(storage, "")).toEqual(["skills/ab.json", "skills/ab.py"]);
});

describe("files that others put there", () => {
  test("seeds are listed and inspected once", async () => {
    await seedStorage(storage, [{ file: "skills/seed.py", text: 'def run(a, b):\n    """Seeded."""' }]);

    const { skills: listed } = await skills.list();
    await skills.list();
    await new SkillLibrary(storage, inspect).list();

    expect(listed).toMatchObject([
      { name: "seed", description: "Seeded.", version: 1, parameters: [{ name: "a" }, { name: "b" }] },
    ]);
    expect(inspected).toEqual(["seed"]);
  });

  test("are found while the library is open, and read again when they change (E36)", async () => {
    await skills.list();
    await storage.write(new Map([["skills/later.py", encodeText('def run():\n    """One."""')]]));
    expect(await skills.get("later")).toMatchObject({ description: "One.", version: 1 });

    await storage.write(new Map([["skills/later.py", encodeText('def run():\n    """Two."""')]]));

    expect(await skills.get("later")).toMatchObject({ description: "Two.", version: 2 });
  });

  test("that are no skills are problems with their line, and the others are listed (E33)", async () => {
    await skills.create({ name: "good", source: triple });
    const texts = { broken: "def run(:", norun: "x = 1", "bad-name": triple, _private: "not looked at", class: triple };
    await storage.write(new Map(Object.entries(texts).map(([name, text]) => [`skills/${name}.py`, encodeText(text)])));
    await storage.write(
      new Map([
        ["skills/binary.py", Uint8Array.of(0xff)],
        ["skills/readme.md", encodeText("text")],
      ]),
    );

    const listing = await skills.list();
    await skills.list();

    expect(listing.skills.map(({ name }) => name)).toEqual(["good"]);
    expect(listing.problems).toMatchObject([
      { file: "skills/bad-name.py", code: "SKILL_INVALID", message: expect.stringContaining("identifier") },
      { file: "skills/binary.py", code: "SKILL_INVALID", message: expect.stringContaining("UTF-8") },
      { file: "skills/broken.py", code: "SKILL_SYNTAX", line: 2 },
      { file: "skills/class.py", code: "SKILL_INVALID" },
      { file: "skills/norun.py", code: "SKILL_INVALID" },
    ]);
    expect(inspected).toEqual(["good", "broken", "norun"]);
    await expect(skills.get("broken")).rejects.toMatchObject({ code: "SKILL_SYNTAX", line: 2 });
  });

  test("a damaged record is a problem, and the skill goes on with what its source says", async () => {
    await skills.create({ name: "a", source: triple, description: "lost" });
    await storage.write(new Map([["skills/a.json", encodeText("{")]]));

    const listing = await skills.list();

    expect(listing.skills).toMatchObject([{ name: "a", description: "", source: triple }]);
    expect(listing.problems).toMatchObject([{ file: "skills/a.json", code: "STORAGE_READ" }]);
    expect((await skills.list()).problems).toHaveLength(1);
    await skills.create({ name: "a", source: triple, description: "again" });
    expect(await skills.list()).toMatchObject({ skills: [{ description: "again" }], problems: [] });
  });

  test("an inspector that cannot answer is no problem of the file", async () => {
    await storage.write(new Map([["skills/a.py", encodeText(triple)]]));
    const library = new SkillLibrary(storage, () => Promise.reject(new Error("the interpreter is gone")));

    await expect(library.list()).rejects.toThrow("the interpreter is gone");
    await expect(library.get("a")).rejects.toThrow("the interpreter is gone");
  });
});

describe("searching", () => {
  beforeEach(async () => {
    await skills.create({ name: "clean_table", source: triple, description: "Drops rows without values" });
    await skills.create({ name: "report", source: triple, description: "Clean summary of a table" });
    await skills.create({ name: "convert", source: `${triple}  # clean`, description: "Kelvin to Celsius" });
    await skills.create({ name: "weather", source: triple, description: "Forecast" });
  });

  test("finds by name, then description, then source", async () => {
    const found = await skills.search("clean");

    expect(found.map(({ name }) => name)).toEqual(["clean_table", "report", "convert", "weather"]);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.at(-1)).toBe(0);
  });

  test("an exact name scores 1 and comes first, whatever else says the same", async () => {
    await skills.create({ name: "weather_report", source: triple, description: "weather weather" });

    expect((await skills.search("Weather"))[0]).toMatchObject({ name: "weather", score: 1 });
  });

  test("finds parts of words and any of several terms", async () => {
    expect((await skills.search("eather"))[0]).toMatchObject({ name: "weather" });
    expect((await skills.search("celsius, please"))[0]).toMatchObject({ name: "convert" });
  });

  test("is never empty while there are skills, unless a threshold is given (E37)", async () => {
    expect(await skills.search("zzz", { limit: 2 })).toHaveLength(2);
    expect(await skills.search("")).toHaveLength(4);
    expect(await skills.search("zzz", { threshold: 0.01 })).toEqual([]);
  });

  test("finds what was written and no longer what was deleted", async () => {
    await skills.search("Kelvin");
    await skills.create({ name: "report", source: triple, description: "Kelvin of each day" });
    await skills.delete("convert");

    const found = await skills.search("Kelvin", { threshold: 0.01 });

    expect(found.map(({ name }) => name)).toEqual(["report"]);
  });

  test("looks at fifty words and a thousand characters of a query", async () => {
    const words = Array.from({ length: 300_000 }, (_, index) => `word_${String(index)}`);
    await skills.create({ name: "first", source: triple, description: "alpha" });
    await skills.create({ name: "last", source: triple, description: "omega" });

    const found = await skills.search(`${"w ".repeat(49)}alpha omega ${words.join(" ")}`, { threshold: 0.001 });

    expect(found.map(({ name }) => name)).toContain("first");
    expect(found.find(({ name }) => name === "last")).toBeUndefined();
    expect(await skills.search(`${"x".repeat(999)} alpha`, { threshold: 0.001 })).toEqual([]);
  });

  test("takes long sources apart in slices, and finds words at every place of them", async () => {
    const filling = Array.from({ length: 125_000 }, (_, index) => `n${String(index)}`).join(" ");
    for (const name of ["one", "two", "three"]) {
      await skills.create({ name, source: `${triple}\n# ${filling} end_of_${name}` });
    }
    let turns = 0;
    const heart = setInterval(() => (turns += 1));

    const found = await skills.search("n7 n124999 wo");
    clearInterval(heart);

    expect(turns).toBeGreaterThan(3);
    expect(found.map(({ name, score }) => [name, score]).slice(0, 2)).toEqual([
      ["two", 0.167],
      ["one", 0.053],
    ]);
  });

  test("in an empty library finds nothing (E38)", async () => {
    expect(await new SkillLibrary(memoryStorage(), inspect).search("x")).toEqual([]);
  });
});

test("listeners hear of each change after it was made", async () => {
  const changes: SkillChange[] = [];
  const stop = skills.onChange((change) => changes.push(change));

  const skill = await skills.create({ name: "a", source: triple });
  await skills.create({ name: "a", source: triple });
  await skills.delete("a");
  await skills.delete("a");
  stop();
  await skills.create({ name: "b", source: triple });

  expect(changes).toEqual([
    { kind: "saved", name: "a", skill },
    { kind: "deleted", name: "a" },
  ]);
});

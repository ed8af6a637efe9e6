import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { functionTool, type Session } from "../../../src/index.js";
import { hosts, openSession } from "./hosts.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each(hosts)("/workspace at the $host host", ({ trust }) => {
  let session: Session;
  const text = async (path: string): Promise<string> => new TextDecoder().decode(await session.workspace.read(path));
  const paths = async (): Promise<string[]> => (await session.workspace.list()).map(({ path }) => path);

  beforeAll(async () => {
    session = await openSession({ trust });
  });
  afterAll(async () => {
    await session.close();
  });

  test("is where code runs, and has the page's files", async () => {
    await session.workspace.write("in.txt", bytes("from the page"));

    const { value } = await session.run(
      "import os\n[os.getcwd(), open('in.txt').read(), open('/workspace/in.txt').read()]",
    );

    expect(value).toEqual(["/workspace", "from the page", "from the page"]);
  });

  test("gives back what code writes, changes and deletes", async () => {
    await session.workspace.write("change.txt", bytes("old"));
    await session.workspace.write("delete.txt", bytes("gone"));

    const { notices } = await session.run(
      "open('out.bin', 'wb').write(b'\\x00\\xff')\nopen('change.txt', 'w').write('new')\nimport os\nos.remove('delete.txt')",
    );

    expect(notices).toEqual([]);
    expect(await session.workspace.read("out.bin")).toEqual(Uint8Array.of(0, 255));
    expect(await text("change.txt")).toBe("new");
    expect(await paths()).not.toContain("delete.txt");
  });

  test("has folders both ways", async () => {
    await session.workspace.write("data/deep/in.csv", bytes("a,b"));

    await session.run(
      "import pathlib\nfolder = pathlib.Path('made/here')\nfolder.mkdir(parents=True)\n(folder / 'out.csv').write_text(open('data/deep/in.csv').read() + ',c')",
    );

    expect(await text("made/here/out.csv")).toBe("a,b,c");
  });

  test("loses what the page deletes", async () => {
    await session.workspace.write("short.txt", bytes("x"));
    await session.run("import os\nassert os.path.exists('short.txt')");

    await session.workspace.delete("short.txt");

    expect((await session.run("os.path.exists('short.txt')")).value).toBe(false);
  });

  test("a file of the same size written right after is seen as changed", async () => {
    await session.workspace.write("same.txt", bytes("aaa"));

    await session.run("open('same.txt', 'w').write('bbb')");

    expect(await text("same.txt")).toBe("bbb");
  });

  test("keeps what a run wrote before it failed", async () => {
    await session.run("open('before.txt', 'w').write('kept')\n1/0");

    expect(await text("before.txt")).toBe("kept");
  });

  test("files that cannot be kept are told of in a few short notices, however many there are", async () => {
    const { notices } = await session.run(
      [
        "import os, shutil",
        "deep = '/workspace/' + '/'.join(['d' * 200] * 5)",
        "os.makedirs(deep)",
        "for i in range(60): open(f'{deep}/{i:05d}' + 'x' * 100, 'w').close()",
      ].join("\n"),
    );
    await session.run("shutil.rmtree('/workspace/' + 'd' * 200)");

    expect(notices).toHaveLength(21);
    expect(Math.max(...notices.map(({ length }) => length))).toBeLessThan(600);
    expect(notices[0]).toMatch(/^\/workspace\/ddd.*….* was left out: its path is too long$/);
    expect(notices[20]).toBe("There are 40 more such notices.");
  });

  test("keeps both versions when page and code changed a file, and says so", async () => {
    await session.workspace.write("both.txt", bytes("start"));

    session.tools.register(
      functionTool({
        name: "page_writes",
        description: "Comes back when the page has written.",
        input: z.object({}),
        run: () => session.workspace.write("both.txt", bytes("of the page")),
      }),
    );

    const { notices } = await session.run("tools.page_writes()\nopen('both.txt', 'w').write('of the code')");

    expect(await text("both.txt")).toBe("of the page");
    const copy = /the code's version is in (\S+)\./.exec(notices.join("\n"))?.[1] ?? "";
    expect(await text(copy)).toBe("of the code");
    expect((await session.run("open('both.txt').read()")).value).toBe("of the page");
  });

  test("is there again after a reset", async () => {
    await session.workspace.write("stays.txt", bytes("stays"));
    await session.reset();

    expect((await session.run("open('stays.txt').read()")).value).toBe("stays");
  });

  test("a chdir of one run does not move the files", async () => {
    await session.run("import os\nos.chdir('/')");
    await session.run("open('/workspace/after-chdir.txt', 'w').write('x')");

    expect(await paths()).toContain("after-chdir.txt");
  });

  test("links and files outside of it are not taken", async () => {
    await session.run("import os\nos.symlink('/etc', '/workspace/link')\nopen('/tmp/outside.txt', 'w').write('x')");

    expect((await paths()).filter((path) => /link|outside/.test(path))).toEqual([]);
  });
});

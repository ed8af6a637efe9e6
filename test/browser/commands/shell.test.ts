import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { memoryStorage, Session, type SessionOptions, type SourceFile } from "../../../src/index.js";

const server = inject("toolServer");
const { host } = new URL(server);

/** A tool whose one recipe passes on what it is given. */
function tool(
  name: string,
  { command = name, more = "", schema = "" }: { command?: string; more?: string; schema?: string } = {},
): SourceFile {
  const text = `
name: ${name}
command: "${command}"
${more}
schema:
  ${schema}
  stdin: input
  positional: [{ name: a }, { name: b }, { name: c }, { name: d }]
recipes: { run: { description: Runs it } }
`;
  return { file: `tools/${name}.yaml`, text };
}

const program = `${server}/open/wasi/census.wasm`;
const seeds = [
  ...["bash", "jq", "rg", "sed", "awk", "sqlite3", "curl", "cat", "rm", "grep", "nothing"].map((name) => tool(name)),
  tool("gzip", { schema: "end_of_options: false" }),
  tool("gunzip", { schema: "end_of_options: false" }),
  tool("slow", { command: "bash", more: "timeout: 1" }),
  tool("hasty", { command: "bash", more: "timeout: 0.02" }),
  tool("census", { command: `wasi:${program}`, more: "env: { GREETING: hello }" }),
  tool("stored", { command: "wasi:bin/census.wasm" }),
  tool("spinning", { command: "wasi:bin/census.wasm", more: "timeout: 1" }),
  tool("missing", { command: "wasi:bin/missing.wasm" }),
  tool("unreachable", { command: `wasi:${server}/closed/wasi/census.wasm` }),
  tool("page_word"),
];

function open(options: Partial<SessionOptions> = {}): Promise<Session> {
  return Session.open({ storage: memoryStorage(), seeds, allowedHosts: [host], ...options });
}

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

describe("commands of the shell", () => {
  let session: Session;
  const value = async (code: string): Promise<unknown> => {
    const { value: found, error } = await session.run(code);
    expect(error).toBeNull();
    return found;
  };
  const failure = async (call: string): Promise<unknown> =>
    value(`
try:
    ${call}
except ToolCallError as error:
    answer = [type(error).__name__, str(error), getattr(error, "exit_code", None), getattr(error, "stdout", None)]
answer`);

  beforeAll(async () => {
    session = await open({ commands: { page_word: () => "the page's own\n" } });
    expect(session.tools.problems()).toEqual([]);
    const response = await fetch(program);
    await session.workspace.write("bin/census.wasm", new Uint8Array(await response.arrayBuffer()));
  });
  afterAll(async () => {
    await session.close();
  });

  test("read standard input and arguments, and answer with standard output", async () => {
    expect(await value(`tools.jq.run(a="-c", b="[.[] | .n * 2]", input='[{"n": 1}, {"n": 21}]')`)).toBe("[2,42]\n");
    expect(await value(`tools.sed.run(a="s/é/e/g", input="é é\\n")`)).toBe("e e\n");
    expect(await value(`tools.awk.run(a="{ sum += $1 } END { print sum }", input="1\\n2\\n")`)).toBe("3\n");
  });

  test("get arguments as they are: no shell reads them", async () => {
    expect(await value(`tools.bash.run(a="-c", b='printf "%s|" "$@"', c="x", d="$(rm -rf /) 'q' *")`)).toBe(
      "$(rm -rf /) 'q' *|",
    );
  });

  test("take what begins with a dash for no option where they know `--`, unless the file says that it may be one", async () => {
    await session.workspace.write("-dashed.txt", new TextEncoder().encode("one\n-v\n"));

    expect(await value(`tools.grep.run(a="-v", b="-dashed.txt")`)).toBe("-v\n");
    expect(await value(`tools.cat.run(a="-dashed.txt")`)).toBe("one\n-v\n");
    expect(await value(`tools.jq.run(a="-c", b=".", input="[1]")`)).toBe("[1]\n");
    expect(await value(`tools.gzip.run(a="-c", b="./-dashed.txt")`)).toBeInstanceOf(Uint8Array);
  });

  test("find a file that the same run has just written, and leave theirs for it", async () => {
    const code = `
from pathlib import Path
Path("notes/in.txt").parent.mkdir(exist_ok=True)
Path("notes/in.txt").write_text("one\\ntwo\\n")
found = tools.rg.run(a="-n", b="two", c="notes")
tools.bash.run(a="-c", b="tr a-z A-Z < notes/in.txt > notes/out.txt; rm notes/in.txt; mkdir -p deep/er; echo x > deep/er/y")
[found, Path("notes/out.txt").read_text(), Path("notes/in.txt").exists(), Path("deep/er/y").read_text()]`;
    expect(await value(code)).toEqual(["notes/in.txt:2:two\n", "ONE\nTWO\n", false, "x\n"]);
    expect(text(await session.workspace.read("notes/out.txt"))).toBe("ONE\nTWO\n");
  });

  test("see what the page wrote meanwhile, and keep bytes as they are", async () => {
    await session.workspace.write("page.bin", Uint8Array.of(0, 255, 10, 13, 128));

    expect(await value(`tools.cat.run(a="page.bin")`)).toEqual(Uint8Array.of(0, 255, 10, 13, 128));
    const packed = await value(`
tools.gzip.run(a="-k", b="page.bin")
import gzip
[gzip.decompress(open("page.bin.gz", "rb").read()), tools.gunzip.run(a="-c", b="page.bin.gz")]`);
    expect(packed).toEqual([Uint8Array.of(0, 255, 10, 13, 128), Uint8Array.of(0, 255, 10, 13, 128)]);
  });

  test("tell by their exit code that they failed, with all they wrote", async () => {
    const [name, message, exitCode, stdout] = (await failure(
      `tools.bash.run(a="-c", b="echo before; echo broken >&2; exit 3")`,
    )) as unknown[];
    expect([name, exitCode, stdout]).toEqual(["ToolCallError", 3, "before\n"]);
    expect(message).toContain("broken");
  });

  test("that do not exist are told with those that do, the page's own among them", async () => {
    const [, message] = (await failure("tools.nothing.run()")) as string[];
    expect(message).toContain("There is no command 'nothing' on this page.");
    for (const name of ["bash", "jq", "page_word", "sqlite3", "wasi:<address of a program>"])
      expect(message).toContain(name);
    expect(await value("tools.page_word.run()")).toBe("the page's own\n");
  });

  test("that never end are ended at their tool's limit, and the next one runs", async () => {
    const code = `
try:
    tools.slow.run(a="-c", b="echo lost > lost.txt; sleep 1000")
except ToolTimeoutError as error:
    answer = str(error)
[answer, tools.cat.run(a="notes/out.txt")]`;
    expect(await value(code)).toEqual(["Tool 'slow' timed out after 1s", "ONE\nTWO\n"]);
    expect((await session.workspace.list()).map(({ path }) => path)).not.toContain("lost.txt");
  });

  test("are ended when the run is stopped", async () => {
    const stop = new AbortController();
    const stopped = session.run(`tools.bash.run(a="-c", b="sleep 1000")`, {
      signal: stop.signal,
      onCall: () => {
        stop.abort();
      },
    });
    expect((await stopped).error?.code).toBe("RUN_INTERRUPTED");
    expect(await value(`tools.bash.run(a="-c", b="echo on")`)).toBe("on\n");
  });

  test("share the files in turn when they are called at once", async () => {
    const code = `
import asyncio
await asyncio.gather(*(tools.bash.run.call_async(a="-c", b=f"echo {n} >> turns.txt") for n in range(5)))
sorted(open("turns.txt").read().split())`;
    expect(await value(code)).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("reach hosts that the session allows, and no others", async () => {
    expect(await value(`tools.curl.run(a="-s", b="${server}/open/text")`)).toBe("grüße\n");
    expect(await value(`tools.bash.run(a="-c", b="curl -s -d name=x ${server}/open/echo | jq -r .method")`)).toBe(
      "POST\n",
    );
    const refused = (await failure(`tools.curl.run(a="-sS", b="http://other.localhost/")`)) as string[];
    expect(refused[1]).toContain("other.localhost is not among those that this session may talk to");
    const impossible = `tools.bash.run(a="-c", b="curl -sS -X GET -d x ${server}/open/echo")`;
    expect(((await failure(impossible)) as string[])[1]).toContain("a browser sends no body with a GET request");
  });

  test("reach no host where the session names none", async () => {
    const other = await open({ storage: memoryStorage() });
    try {
      const everywhere = await Session.open({ storage: memoryStorage(), seeds });
      const { error } = await everywhere.run(`tools.curl.run(a="-sS", b="${server}/open/text")`);
      await everywhere.close();
      expect(error?.message).toContain("names no `allowedHosts`");
    } finally {
      await other.close();
    }
  });

  describe("sqlite3", () => {
    test("keeps a database in the workspace, which Python's own bytes are", async () => {
      const code = `
tools.sqlite3.run(a="shop.db", input="CREATE TABLE item(name TEXT, price REAL);\\nINSERT INTO item VALUES ('tea', 3), ('cake', NULL);")
[open("shop.db", "rb").read(15), tools.sqlite3.run(a="-json", b="shop.db", c="SELECT * FROM item"), tools.sqlite3.run(a="shop.db", b=".tables")]`;
      expect(await value(code)).toEqual([
        new TextEncoder().encode("SQLite format 3"),
        '[{"name":"tea","price":3.0},\n{"name":"cake","price":null}]\n',
        "item\n",
      ]);
    });

    test("imports what Python wrote, and says where a script is wrong", async () => {
      const code = `
open("cities.csv", "w").write('name,people\\n"Oslo, Norway",700000\\nBergen,290000\\n')
script = ".mode csv\\n.import cities.csv city\\n.headers on\\nSELECT * FROM city;\\nSELECT absent;\\n"
try:
    tools.sqlite3.run(a="cities.db", input=script)
except ToolCallError as error:
    answer = [error.exit_code, error.stdout, error.stderr]
answer`;
      expect(await value(code)).toEqual([
        1,
        'name,people\n"Oslo, Norway",700000\nBergen,290000\n',
        "Parse error near line 5: no such column: absent\n",
      ]);
    });

    test.each([
      ["-list", "1|1.0|a b\n|1.0e+20|x|y\n"],
      ["-csv", '1,1.0,"a b"\n,1.0e+20,x|y\n'],
      ["-line", "    a = 1\n    b = 1.0\n    c = a b\n\n    a = \n    b = 1.0e+20\n    c = x|y\n"],
      ["-quote", "1,1.0,'a b'\nNULL,1.0e+20,'x|y'\n"],
      ["-json", '[{"a":1,"b":1.0,"c":"a b"},\n{"a":null,"b":1.0e+20,"c":"x|y"}]\n'],
    ])("writes rows as its %s", async (mode, expected) => {
      const script =
        "CREATE TABLE t(a, b REAL, c); INSERT INTO t VALUES (1, 1, 'a b'), (NULL, 1e20, 'x|y'); SELECT * FROM t";
      expect(await value(`tools.sqlite3.run(a="${mode}", b=":memory:", c="${script}")`)).toBe(expected);
    });

    test("runs what -cmd gives before a script of standard input", async () => {
      expect(await value(`tools.sqlite3.run(a="-cmd", b=".mode json", c=":memory:", input="SELECT 1 AS one;")`)).toBe(
        '[{"one":1}]\n',
      );
    });

    test("refuses what is no database, and leaves it as it is", async () => {
      await session.workspace.write(
        "letter.txt",
        new TextEncoder().encode("not a database, but a long letter".repeat(20)),
      );
      const [, message] = (await failure(
        `tools.sqlite3.run(a="letter.txt", b="SELECT 1 FROM sqlite_schema")`,
      )) as string[];
      expect(message).toContain("file is not a database");
      expect(text(await session.workspace.read("letter.txt"))).toContain("a long letter");
    });
  });

  describe("WASI programs", () => {
    test("are fetched, and get arguments, environment and standard input", async () => {
      expect(await value(`tools.census.run(input="a\\nb\\nc\\n")`)).toBe(`hello from wasi:${program}\n3\n`);
    });

    test("may lie in the workspace, and work on its files", async () => {
      const code = `
open("three.txt", "w").write("1\\n2\\n3\\n")
[tools.stored.run(a="three.txt", b="/workspace/notes/out.txt"), open("total.txt").read()]`;
      expect(await value(code)).toEqual(["three.txt 3\n/workspace/notes/out.txt 2\n", "5\n"]);
    });

    test("tell their exit code, their trap, and that they are not there", async () => {
      expect(await failure(`tools.stored.run(a="--exit", b="7")`)).toEqual([
        "ToolCallError",
        "Tool 'stored' failed: Command failed: leaving\n",
        7,
        "",
      ]);
      expect((await failure(`tools.stored.run(a="--trap")`)) as string[]).toContainEqual(
        expect.stringContaining("The program wasi:bin/census.wasm failed: unreachable"),
      );
      expect((await failure("tools.missing.run()")) as string[]).toContainEqual(
        expect.stringContaining("There is no program /workspace/bin/missing.wasm"),
      );
      expect((await failure("tools.unreachable.run()")) as string[]).toContainEqual(expect.stringContaining("CORS"));
    });

    test("that never end are ended", async () => {
      const code = `
try:
    tools.spinning.run(a="--spin")
except ToolTimeoutError as error:
    answer = str(error)
[answer, tools.stored.run(a="three.txt")]`;
      expect(await value(code)).toEqual(["Tool 'spinning' timed out after 1s", "three.txt 3\n"]);
    });
  });
});

test("a command that was given up while the shell started holds up no later one", async () => {
  const session = await open();
  const code = `
try:
    tools.hasty.run(a="-c", b="sleep 1000")
except ToolTimeoutError as error:
    answer = str(error)
[answer, tools.bash.run(a="-c", b="echo on")]`;

  const { value, error } = await session.run(code);

  expect(error).toBeNull();
  expect(value).toEqual(["Tool 'hasty' timed out after 0.02s", "on\n"]);
  await session.close();
});

test("a session without a shell has the page's commands alone", async () => {
  const session = await open({ shell: false, commands: { page_word: () => "here" } });
  const { error } = await session.run("tools.jq.run()");
  await session.close();

  expect(error?.message).toContain("There are: page_word.");
});

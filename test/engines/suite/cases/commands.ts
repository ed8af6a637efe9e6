import type { Session } from "../../../../src/index.js";
import { differ, type PageCase, type SharedSession } from "../engine-case.js";
import { addressOf } from "../server-address.js";
import { addTools } from "../shared-session.js";

const script = "schema: {options: {script: {flag: -c}}, stdin: input}\nrecipes: {run: {}}\n";
const free = "schema: {stdin: input, positional: [{name: a}, {name: b}]}\nrecipes: {run: {}}\n";

/** The session that cases share, with tools that are commands of the shell. */
async function withShell(shared: SharedSession): Promise<Session> {
  const session = await shared();
  await addTools(session, {
    shell: `command: bash\n${script}`,
    slow: `command: bash\ntimeout: 1\n${script}`,
    sql: "command: sqlite3\nschema: {stdin: script}\nrecipes: {run: {}}\n",
  });
  return session;
}

/** The error's text instead of the value, where the run failed. */
async function valueOf(session: Session, code: string): Promise<unknown> {
  const { value, error } = await session.run(code);
  return error === null ? value : String(error);
}

/** Shell, SQLite and WASI programs: a worker of their own, in a frame of its own, on the files of the session. */
export const commandCases: readonly PageCase[] = [
  {
    id: "page-8",
    title: "commands of the shell work on the run's files; one that never ends is ended, and the next one runs",
    run: async (_open, shared) => {
      const session = await withShell(shared);
      const value = await valueOf(
        session,
        `
open("in.txt", "w").write("b\\na\\n")
tools.shell.run(script="sort in.txt > out.txt")
try:
    tools.slow.run(script="sleep 1000")
except ToolTimeoutError as error:
    ended = str(error)
sql = tools.sql.run(script="CREATE TABLE t(a); INSERT INTO t VALUES (1), (2); SELECT sum(a) FROM t;")
[open("out.txt").read(), ended, tools.shell.run(script="cat out.txt | wc -l"), sql]`,
      );
      return differ("the value", value, ["a\nb\n", "Tool 'slow' timed out after 1s", "2\n", "3\n"]);
    },
  },
  {
    id: "commands-1",
    title:
      "a pipe reads what Python wrote in the same run, Python reads what it made, bytes stay, a failure tells its code",
    needs: ["sync_calls"],
    inChromium: "commands/shell.test.ts",
    run: async (_open, shared) => {
      const session = await withShell(shared);
      const value = await valueOf(
        session,
        `
import gzip, os
os.makedirs("fruit", exist_ok=True)
open("fruit/a.txt", "w").write("pear 3\\napple 5\\n")
open("fruit/b.bin", "wb").write(bytes([0, 255, 10, 13, 128]))
pipe = "cat fruit/a.txt | sort | awk '{ sum += $2; print $1 } END { print sum }' | tee fruit/sum.txt"
printed = tools.shell.run(script=pipe)
tools.shell.run(script="gzip -k fruit/b.bin; rm fruit/a.txt")
try:
    tools.shell.run(script="echo before; echo broken >&2; exit 3")
except ToolCallError as error:
    failed = [error.exit_code, error.stdout, "broken" in str(error)]
[
    printed, open("fruit/sum.txt").read(), os.path.exists("fruit/a.txt"),
    list(gzip.decompress(open("fruit/b.bin.gz", "rb").read())),
    tools.shell.run(script="jq -c '[.[] | .n * 2]'", input='[{"n": 1}, {"n": 21}]'), failed,
]`,
      );
      const onPage = new TextDecoder().decode(await session.workspace.read("fruit/sum.txt"));
      const sorted = "apple\npear\n8\n";
      return [
        ...differ("the value", value, [
          sorted,
          sorted,
          false,
          [0, 255, 10, 13, 128],
          "[2,42]\n",
          [3, "before\n", true],
        ]),
        ...differ("the page's file", onPage, sorted),
      ];
    },
  },
  {
    id: "commands-2",
    title: "a command that is stopped with its run leaves no file half written, and the next one runs",
    needs: ["sync_calls"],
    inChromium: "commands/shell.test.ts",
    run: async (_open, shared) => {
      const session = await withShell(shared);
      const stop = new AbortController();
      const { error } = await session.run(`tools.shell.run(script="echo half > half.txt; sleep 1000")`, {
        signal: stop.signal,
        onCall: () => {
          stop.abort();
        },
      });
      const value = await valueOf(session, `tools.shell.run(script="ls half.txt 2>/dev/null; echo on")`);
      return [...differ("the error", error?.code, "RUN_INTERRUPTED"), ...differ("the next", value, "on\n")];
    },
  },
  {
    id: "commands-3",
    title:
      "SQLite keeps a database file that outlives the run, imports what Python wrote, and says where a script is wrong",
    needs: ["sync_calls"],
    inChromium: "commands/shell.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      await addTools(session, { sqlite: `command: sqlite3\n${free}` });
      const made = await valueOf(
        session,
        `
open("cities.csv", "w").write('name,people\\n"Oslo, Norway",700000\\nBergen,290000\\n')
tools.sqlite.run(a="cities.db", input=".mode csv\\n.import cities.csv city\\n")
open("cities.db", "rb").read(15)`,
      );
      const read = await valueOf(
        session,
        `
try:
    tools.sqlite.run(a="cities.db", input="SELECT 1;\\nSELECT absent;\\n")
except ToolCallError as error:
    failed = [error.exit_code, error.stdout, error.stderr]
[tools.sqlite.run(a="-json", b="cities.db", input="SELECT name, people + 0 AS people FROM city ORDER BY people;"), failed]`,
      );
      return [
        ...differ("the file", made instanceof Uint8Array && new TextDecoder().decode(made), "SQLite format 3"),
        ...differ("what it answers", read, [
          '[{"name":"Bergen","people":290000},\n{"name":"Oslo, Norway","people":700000}]\n',
          [1, "1\n", "Parse error near line 2: no such column: absent\n"],
        ]),
      ];
    },
  },
  {
    id: "commands-4",
    title:
      "a WASI program gets arguments, environment, standard input and files; its exit code, its trap and its loop end it",
    needs: ["sync_calls"],
    inChromium: "commands/shell.test.ts",
    run: async (_open, shared) => {
      const session = await shared();
      const program = `${addressOf("tools")}/open/wasi/census.wasm`;
      await addTools(session, {
        fetched: `command: "wasi:${program}"\nenv: {GREETING: hello}\n${free}`,
        census: `command: "wasi:bin/census.wasm"\n${free}`,
        spinning: `command: "wasi:bin/census.wasm"\ntimeout: 1\n${free}`,
      });
      const response = await fetch(program);
      await session.workspace.write("bin/census.wasm", new Uint8Array(await response.arrayBuffer()));
      const value = await valueOf(
        session,
        `
open("three.txt", "w").write("1\\n2\\n3\\n")
def failing(call):
    try:
        return call()
    except Exception as error:
        return [type(error).__name__, getattr(error, "exit_code", None), str(error)]
[
    tools.fetched.run(input="a\\nb\\n"), tools.census.run(a="three.txt"), open("total.txt").read(),
    failing(lambda: tools.census.run(a="--exit", b="7")), failing(lambda: tools.spinning.run(a="--spin")),
    tools.census.run(input="1\\n"),
]`,
      );
      const trap = await session.run(`tools.census.run(a="--trap")`);
      // Each engine has words of its own for it.
      const isTold = /wasi:bin\/census\.wasm failed: .*unreachable/i.test(trap.error?.message ?? "");
      return [
        ...differ("the value", value, [
          `hello from wasi:${program}\n2\n`,
          "three.txt 3\n",
          "3\n",
          ["ToolCallError", 7, "Tool 'census' failed: Command failed: leaving\n"],
          ["ToolTimeoutError", null, "Tool 'spinning' timed out after 1s"],
          "1\n",
        ]),
        ...(isTold ? [] : [`the trap's error is ${String(trap.error?.message)}`]),
      ];
    },
  },
];

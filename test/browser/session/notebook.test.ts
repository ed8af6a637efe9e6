import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import type { Session } from "../../../src/index.js";
import { openSession } from "./hosts.js";
import { wheel } from "./wheel.js";

const shellTool = {
  file: "tools/shell.yaml",
  text: `
name: shell
command: bash
schema:
  options: { script: { flag: -c, required: true } }
recipes: { run: {} }
`,
};

let session: Session;

beforeAll(async () => {
  const packagesFolder = `${inject("embeddingServer")}/files/notebook-wheels/`;
  const files = { "greeter-1.0-py3-none-any.whl": await wheel("greeter", "1.0", "def greet(): return 'hello'") };
  const index = new TextEncoder().encode(JSON.stringify(Object.keys(files)));
  for (const [name, body] of Object.entries({ ...files, "index.json": index })) {
    await fetch(`${packagesFolder}${name}`, { method: "PUT", body });
  }
  session = await openSession({ packages: [{ folder: packagesFolder }], seeds: [shellTool] });
});

afterAll(async () => {
  await session.close();
});

/** What a run printed, what it gave, and how it failed. */
async function ran(code: string): Promise<readonly [printed: string, value: unknown, error: string | null]> {
  const { value, error, stdout, stderr } = await session.run(code);
  return [stdout + stderr, value, error === null ? null : `${error.pythonType}: ${error.message}`];
}

describe("what notebooks write beside Python", () => {
  test("`!` runs a command of the shell, with Python's variables, and says how one failed", async () => {
    await session.run("open('/workspace/a.txt', 'w').write('1\\n2\\n')\nname = 'a.txt'");

    expect(await ran("!ls *.txt")).toEqual(["a.txt\n", null, null]);
    expect(await ran("for n in ['1', '3']:\n    !grep -c {n} $name")).toEqual(["1\n0\n[exit code 1]\n", null, null]);
    expect(await ran("def count(word):\n    found = !grep -c {word} a.txt\n    return found\ncount(2)")).toEqual([
      "",
      ["1"],
      null,
    ]);
    expect(await ran("!echo \"it's\" \\\n  'here'\n1")).toEqual(["it's here\n", 1, null]);
    expect(await ran("!!cat a.txt")).toEqual(["", ["1", "2"], null]);
    expect(await ran("%%bash\nfor i in 1 2; do\n  echo $i\ndone")).toEqual(["1\n2\n", null, null]);
    expect((await ran("!cat nowhere.txt"))[0]).toMatch(/nowhere\.txt[^]*\[exit code 1\]/);
  });

  test("`%cd` is where `!` begins, and plain `cd` and `%ls` are known", async () => {
    await session.run("import os\nos.makedirs('/workspace/in the sun', exist_ok=True)");

    expect(await ran("%cd 'in the sun'\n!pwd")).toEqual(["/workspace/in the sun\n/workspace/in the sun\n", null, null]);
    expect(await ran("cd ..\n%pwd")).toEqual(["/workspace\n", "/workspace", null]);
    expect(await ran("%ls -d in*")).toEqual(["in the sun\n", null, null]);
    expect(await ran("%grep -c small *.txt")).toEqual(["0\n[exit code 1]\n", null, null]);
    expect((await ran("%ll a.txt"))[0]).toMatch(/^-rw.* a\.txt\n$/);
  });

  test("a command that is Python too, but means nothing, is said how to write", async () => {
    expect((await ran("ls"))[2]).toContain("`!ls` runs it in the shell.");
    expect((await ran("cd /workspace"))[2]).toContain("`%cd FOLDER` changes the folder.");
    expect((await ran("def f():\n    return ls\nls = 5\ndel ls\nf()"))[2]).toContain("`!ls`");
  });

  test("a session without the tool says so", async () => {
    const bare = await openSession();
    const { error } = await bare.run("!ls");
    await bare.close();

    expect(error?.pythonType).toBe("ToolUnavailableError");
    expect(error?.message).toContain("the tool `shell`");
  });

  test("code with a list of imports does without them", async () => {
    const listed = await openSession({ imports: ["json"], seeds: [shellTool] });
    const { error } = await listed.run("!ls");
    await listed.close();

    expect(error?.message).toContain("Code with a list of imports does without `!`, `%` and `?`");
  });

  test("`%pip`, `!pip` and plain `pip` are the session's packages", async () => {
    expect(await ran("%pip install -q greeter\nimport greeter\ngreeter.greet()")).toEqual([
      "Installed greeter\n",
      "hello",
      null,
    ]);
    expect(await ran("!pip install greeter==1.0")).toEqual(["Already there: greeter==1.0\n", null, null]);
    expect(await ran("pip list")).toEqual(["greeter==1.0\n", null, null]);
    expect(await ran("!python -m pip uninstall -y greeter")).toEqual(["Removed greeter\n", null, null]);
    expect((await ran("%pip install nowhere"))[2]).toMatch(/^Dep\w+: .*nowhere/);
    expect((await ran("%pip install --index-url https://x greeter"))[2]).toContain("--index-url");
  });

  test("`%time` keeps what it runs: names, values, awaiting, and the lines of errors", async () => {
    const [printed, value] = await ran("%time total = sum(range(5))\ntotal");
    expect(printed).toMatch(/^Wall time: [\d.e+]+ [mµn]?s\n$/);
    expect(value).toBe(10);
    expect((await ran("import asyncio\n%time await asyncio.sleep(0, 'slept')"))[1]).toBe("slept");
    expect((await ran("%%time\nx = 4\nx * 2"))[1]).toBe(8);
    expect((await session.run("%%time\nx = 4\n1 / 0")).error?.traceback).toMatch(/line 3[^]*1 \/ 0/);
    expect((await ran("%timeit -1\n"))[0]).toMatch(/per loop \(best of 3, [\d,]+ loops each\)/);
    expect((await ran("%%capture said\nprint('kept back')"))[0]).toBe("");
    expect((await ran("said"))[1]).toBe("kept back\n");
  });

  test("`%%writefile` and `%run` are files of code", async () => {
    expect((await ran("%%writefile made.py\nimport sys\nanswer = 6 * 7\nprint(sys.argv[1:], __name__)"))[0]).toBe(
      "Writing made.py\n",
    );
    expect(await ran("%run made.py one two\nanswer")).toEqual(["['one', 'two'] __main__\n", 42, null]);
    expect((await ran("!python made.py"))[0]).toBe("[] __main__\n");
    expect((await ran("!python -c 'print(1)'"))[2]).toContain("%run FILE.py");
  });

  test("`?` explains, and `??` shows the source", async () => {
    expect((await ran("tools.shell?"))[0]).toContain("tools.shell.run");
    expect((await ran("?len"))[0]).toContain("Return the number of items");
    expect((await ran("def twice(x):\n    return 2 * x\ntwice??"))[0]).toBe("def twice(x):\n    return 2 * x\n\n");
    expect((await ran("nothing_here?"))[2]).toContain("NameError");
  });

  test("what sets a notebook up is passed over, and an unknown one names those that there are", async () => {
    expect(await ran("%matplotlib inline\n%load_ext autoreload\n%autoreload 2\n5")).toEqual(["", 5, null]);
    expect((await ran("%sql SELECT 1"))[2]).toMatch(/^ValueError: There is no %sql here\. There are: .*%pip/);
    expect((await ran("%%sql\nSELECT 1"))[2]).toMatch(/^ValueError: There is no %%sql here\. There are: .*%%time/);
  });

  test("Python comes first: nothing in it is taken for a notebook's line", async () => {
    const code = "text = '''\n!ls\n%time x\nname?\n'''\ny = 7\n[y\n%4, text]";
    expect((await ran(code))[1]).toEqual([3, "\n!ls\n%time x\nname?\n"]);

    const { error } = await session.run("%time 1\nif True\n    pass");
    expect(error?.pythonType).toBe("SyntaxError");
    expect(error?.traceback).toMatch(/line 2[^]*if True\n/);
  });

  test("IPython.display shows things, and loads nothing from elsewhere", async () => {
    const { outputs, error } = await session.run(
      "from IPython.display import display, HTML, Markdown, JSON, Image, clear_output\nclear_output()\n" +
        "display(HTML('<b>x</b>'))\nMarkdown('# y')",
    );
    expect(error).toBeNull();
    expect(outputs.map(({ source, data }) => [source, data["text/html"] ?? data["text/markdown"]])).toEqual([
      ["display", "<b>x</b>"],
      ["value", "# y"],
    ]);
    expect((await ran("Image(url='https://example.org/x.png')"))[2]).toContain("would load from elsewhere");
    expect((await ran("from IPython import get_ipython\nget_ipython() is not None"))[1]).toBe(true);
  });

  test("`_` is the last value, and a variable of that name goes before it", async () => {
    await session.run("6 * 7");
    await session.run("None");
    expect((await ran("_ + 1"))[1]).toBe(43);
    expect((await ran("for _ in range(3): pass\n_"))[1]).toBe(2);
    await session.run("del _");
  });

  test("a task can be made where nothing is awaited, and goes on as soon as something is", async () => {
    const code =
      "import asyncio\nasync def work():\n    await asyncio.sleep(0)\n    return 'done'\ntask = asyncio.create_task(work())";
    expect((await session.run(code)).error).toBeNull();
    expect((await ran("await task"))[1]).toBe("done");
  });

  test("a task that is a statement of its own is made without a warning", async () => {
    const code = "import asyncio\nasync def work():\n    print('worked')\nasyncio.create_task(work())";

    const { error, stdout, stderr } = await session.run(code);

    expect([error, stdout, stderr]).toEqual([null, "worked\n", ""]);
  });

  test("a generator left in the middle ends with the run that left it", async () => {
    const code =
      "import asyncio\nasync def counted():\n    try:\n        yield 1\n        yield 2\n    finally:\n" +
      "        await asyncio.sleep(0)\n        print('closed')\nkept = counted()\nawait anext(kept)\n" +
      "async for n in counted():\n    break";
    expect((await ran(code))[0]).toBe("closed\n");
    expect((await ran("await anext(kept)"))[1]).toBe(2);
  });

  test("the check before a run takes them for what they are", async () => {
    expect(await session.check("!ls\n%time x = 1\nprint(x)\ntools?")).toEqual([]);
    expect((await session.check("ls -l data"))[0]?.suggestion).toContain("`!ls -l data`");
  });
});

import { lines, running, type ConformanceCase } from "../conformance-case.js";

const triple = (description = "Triple"): string =>
  `skills.create(name="triple", description="${description}", source="async def run(n: int) -> int:\\n    return n * 3")`;
const create = (name: string, source: string): string =>
  `skills.create(name=${JSON.stringify(name)}, source=${JSON.stringify(source)})`;

/** Section E: skills, also called workflows. */
export const skillCases: readonly ConformanceCase[] = [
  {
    id: "E5",
    title: "list is empty, then names and describes",
    fresh: true,
    steps: [
      running("skills.list()", { value: [] }),
      running(triple(), { value: { name: "triple", description: "Triple", params: { n: "integer" } } }),
      running(
        "[dict(skill) == {'name': 'triple', 'description': 'Triple', 'params': {'n': 'integer'}} for skill in skills.list()]",
        {
          value: [true],
        },
      ),
    ],
  },
  {
    id: "E1",
    title: "create says what was stored",
    steps: [running(triple(), { value: { name: "triple", description: "Triple", params: { n: "integer" } } })],
  },
  {
    id: "E2",
    title: "an asynchronous skill is awaited for its caller",
    steps: [
      running("skills.triple(n=7)", { value: 21 }),
      running('skills.invoke("triple", n=7)', { value: 21 }),
      running("workflows.triple(n=7)", { value: 21 }),
    ],
  },
  { id: "E3", title: "positional arguments are allowed", steps: [running("skills.triple(7)", { value: 21 })] },
  {
    id: "E4",
    title: "missing and unknown arguments are TypeErrors",
    steps: [
      running("skills.triple()", {
        error: { type: "TypeError", includes: ["run() missing 1 required positional argument: 'n'"] },
      }),
      running("skills.triple(n=1, extra=2)", {
        error: { type: "TypeError", includes: ["unexpected keyword argument 'extra'"] },
      }),
    ],
  },
  {
    id: "E6",
    title: "get gives attributes and keys, None when there is none",
    steps: [
      running('skills.get("triple").source == skills.get("triple")["source"]', { value: true }),
      running('skills.get("triple").source', { value: "async def run(n: int) -> int:\n    return n * 3" }),
      running('skills.get("none")'),
    ],
  },
  {
    id: "E7",
    title: "an unknown skill is an AttributeError, by invoke a ValueError",
    steps: [
      running("skills.nope()", { error: { type: "AttributeError", includes: ["Skill not found: nope"] } }),
      running("try:\n    skills.invoke('nope')\nexcept ValueError as error:\n    found = str(error)\nfound", {
        value: "Skill not found: nope",
      }),
    ],
  },
  {
    id: "E8",
    title: "delete says whether there was one",
    steps: [running('[skills.delete("triple"), skills.delete("triple")]', { value: [true, false] })],
  },
  {
    id: "E9",
    title: "a synchronous run is accepted",
    steps: [running(`${create("plain", "def run(n): return n + 1")}\nskills.plain(n=1)`, { value: 2 })],
  },
  {
    id: "E10",
    title: "a source without run is refused",
    steps: [
      running(create("no_run", "x = 1"), { error: { type: "SkillValidationError", includes: ["run"] } }),
      running(`try:\n    ${create("no_run", "x = 1")}\nexcept ValueError:\n    caught = True\ncaught`, { value: true }),
    ],
  },
  {
    id: "E11",
    title: "a syntax error is a SyntaxError",
    steps: [
      running(create("bad", "def run(:"), {
        error: { type: "SkillSyntaxError", includes: ["Syntax error in skill code: "] },
      }),
      running(`try:\n    ${create("bad", "def run(:")}\nexcept SyntaxError:\n    caught = True\ncaught`, {
        value: true,
      }),
    ],
  },
  {
    id: "E12",
    title: "a name that is no identifier is refused",
    steps: [
      running(create("bad-name", "def run(): pass"), {
        error: { type: "SkillValidationError", includes: ["identifier"] },
      }),
    ],
  },
  {
    id: "E13",
    title: "the namespace's own names are reserved",
    steps: ["list", "search", "get", "invoke", "create", "delete"].map((name) =>
      running(create(name, "def run(): pass"), {
        error: { type: "SkillValidationError", includes: ["Reserved skill name"] },
      }),
    ),
  },
  {
    id: "E14",
    title: "a keyword is no name",
    steps: [running(create("class", "def run(): pass"), { error: { type: "SkillValidationError" } })],
  },
  {
    id: "E15",
    title: "the description is the first line of a docstring",
    steps: [
      running(`${create("module_doc", '"""Of the module.\n\nMore."""\ndef run():\n    """Of run."""')}.description`, {
        value: "Of the module.",
      }),
      running(`${create("run_doc", 'def run():\n    """Of run.\n\n    More."""')}.description`, { value: "Of run." }),
    ],
  },
  {
    id: "E16",
    title: "parameter types come from the annotations, *args and **kw are left out",
    steps: [
      running(
        `${create("typed", "async def run(a, b: float = 1.5, c: list = None, d: dict[str,int] = {}, *args, e: bool = False, **kw): pass")}\n` +
          "{p.name: p.type for p in skills.get('typed').parameters}",
        { value: { a: "string", b: "number", c: "array", d: "object", e: "boolean" } },
      ),
    ],
  },
  {
    id: "E17",
    title: "parameters named like namespaces are hidden and filled",
    steps: [
      running(
        `${create("hidden", "def run(n, tools, skills, artifacts, deps): return [n, tools.echo(text='x')]")}\n` +
          "[[p.name for p in skills.get('hidden').parameters], skills.hidden(n=1)]",
        { value: [["n"], [1, "x\n"]] },
      ),
    ],
  },
  {
    id: "E18",
    title: "descriptions of parameters are read from Args",
    steps: [
      running(`${create("documented", 'def run(n):\n    """Do.\n\n    Args:\n        n: How many.\n    """')}.params`, {
        value: { n: "How many." },
      }),
    ],
  },
  {
    id: "E19",
    title: "creating again replaces",
    steps: [
      running(`${create("again", "def run(): return 1")}\n${create("again", "def run(): return 2")}\nskills.again()`, {
        value: 2,
      }),
    ],
  },
  {
    id: "E22",
    title: "a skill awaits a tool",
    steps: [
      running(`${create("awaits", "async def run(): return await tools.echo.call_async(text='x')")}\nskills.awaits()`, {
        value: "x\n",
      }),
    ],
  },
  {
    id: "E23",
    title: "skills invoke skills, awaited or not",
    steps: [
      running(
        lines(
          create("double", "async def run(x): return x * 2"),
          create(
            "quadruple",
            "async def run(x):\n    y = await workflows.invoke('double', x=x)\n    return await workflows.invoke('double', x=y)",
          ),
          create(
            "quadruple_plain",
            "def run(x):\n    return workflows.invoke('double', x=workflows.invoke('double', x=x))",
          ),
          "[await workflows.invoke('quadruple', x=10), workflows.invoke('quadruple', x=10), workflows.quadruple_plain(x=10)]",
        ),
        { value: [40, 40, 40] },
      ),
    ],
  },
  {
    id: "E24",
    title: "a skill uses artifacts",
    steps: [
      running(
        `${create("keeps", "def run():\n    artifacts.save('e24', [1])\n    return artifacts.load('e24')")}\nskills.keeps()`,
        { value: [1] },
      ),
    ],
  },
  {
    id: "E25",
    title: "a skill uses deps",
    steps: [running(`${create("packages", "def run(): return deps.list()")}\nskills.packages()`, { value: [] })],
  },
  {
    id: "E26",
    title: "a skill does not see the session's variables",
    steps: [
      running(`y = 1\n${create("reads_global", "def run(): return y")}\nskills.reads_global()`, {
        error: { type: "NameError" },
      }),
    ],
  },
  {
    id: "E28",
    title: "an error of a skill keeps its class and shows the skill's line",
    steps: [
      running(`${create("raises", "def run():\n    raise ValueError('boom')")}\nskills.raises()`, {
        error: {
          type: "ValueError",
          includes: ["ValueError: boom", 'File "<skill:raises>", line 2, in run', "raise ValueError('boom')"],
          excludes: ["vitrine/_"],
        },
      }),
    ],
  },
  {
    id: "E29",
    title: "creating does not run the source",
    steps: [
      running(create("prints", "print('X')\ndef run(): return 1"), {
        value: { name: "prints", description: "", params: {} },
      }),
      running("skills.prints()", { value: 1, stdout: "X\n" }),
    ],
  },
  {
    id: "E30",
    title: "an import that fails does so when the skill is called",
    steps: [
      running(`${create("imports", "import not_there\ndef run(): return 1")}['name']`, { value: "imports" }),
      running("skills.imports()", { error: { type: "ModuleNotFoundError", includes: ["not_there"] } }),
    ],
  },
  {
    id: "E31",
    title: "a parameter may be called name",
    steps: [
      running(`${create("named", "def run(name): return name")}\nskills.invoke("named", name="bob")`, { value: "bob" }),
    ],
  },
  {
    id: "E34",
    title: "a skill is there in the next session on the storage",
    steps: [
      running(`${create("kept", "def run(): return 'kept'")}['name']`, { value: "kept" }),
      { kind: "reopen" },
      running("['kept' in [s.name for s in skills.list()], skills.invoke('kept')]", { value: [true, "kept"] }),
    ],
  },
  {
    id: "E35",
    title: "a description given at creation is kept",
    steps: [
      running(`skills.create(name="described", source="def run(): pass", description="my desc")['name']`, {
        value: "described",
      }),
      { kind: "reopen" },
      running("skills.get('described').description", { value: "my desc" }),
    ],
  },
  {
    id: "E36",
    title: "a skill that the page stores is found at once",
    steps: [
      running("skills.get('later')"),
      { kind: "page-creates-skill", name: "later", source: "def run(): return 'later'" },
      running("skills.invoke('later')", { value: "later" }),
    ],
  },
  {
    id: "E38",
    title: "an empty library finds nothing",
    fresh: true,
    steps: [running("skills.search('anything')", { value: [] })],
  },
];

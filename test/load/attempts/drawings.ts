import { everywhere, type LoadAttempt } from "./attempt.js";

const shown = (mime: string, content: string): string =>
  `class Shown:\n    def _repr_mimebundle_(self, **_): return {${JSON.stringify(mime)}: ${content}}\ndisplay(Shown())`;

const drawn = (
  name: string,
  mime: string,
  content: string,
  rest: Pick<LoadAttempt, "isSliced" | "bound" | "isBrief" | "harmless" | "allows">,
): LoadAttempt => ({
  name,
  entry: "displays",
  code: shown(mime, content),
  refusedWith: null,
  draws: "output",
  ...rest,
});

const stored = (
  name: string,
  file: string,
  content: string,
  rest: Pick<LoadAttempt, "isSliced" | "bound" | "harmless" | "allows">,
): LoadAttempt => ({
  name,
  entry: "artifacts",
  code: `artifacts.save(${JSON.stringify(file)}, ${content})`,
  refusedWith: null,
  draws: "artifact",
  ...rest,
});

const elsewhere = { chromium: "a sealed frame is drawn in a process of its own" };

const inOneGo = { ...elsewhere, firefox: "it lays out this text in less time" };

const inLittleTime = { ...elsewhere, webkitgtk: "it paints them in less time" };

/** A parser of XML takes a text as a whole. */
const LONGEST_SVG = { markup: 2_000_000 };

/** What the demo draws of runs, artifacts and questions. */
export const drawingAttempts: readonly LoadAttempt[] = [
  drawn("HTML of 40,000 nested elements", "text/html", "'<div>' * 40_000", { isSliced: false, bound: "drawing" }),
  drawn("HTML of as many elements as are drawn", "text/html", "'<p><b>x</b></p>' * 4900", {
    isSliced: true,
    bound: "slices",
  }),
  drawn(
    "HTML of columns in one another",
    "text/html",
    "'<style>div{columns:2}</style>' + '<div>' * 8 + '<p>x y z</p>' * 2000",
    { isSliced: true, bound: "styles", harmless: elsewhere },
  ),
  drawn(
    "HTML with rules for elements behind others",
    "text/html",
    "'<style>' + 'b~p~p{color:red}' * 20 + '</style>' + '<p>x</p>' * 9000",
    { isSliced: true, bound: "styles", harmless: elsewhere },
  ),
  drawn(
    "HTML that counts by many counters",
    "text/html",
    "'<style>p{counter-increment:' + ' '.join(f'c{n}' for n in range(500)) + '}p::before{content:' + ' '.join(f'counter(c{n})' for n in range(500)) + '}</style>' + '<p>x</p>' * 1000",
    { isSliced: true, bound: "styles", harmless: elsewhere },
  ),
  drawn("HTML of a table whose cells stand for millions", "text/html", "'<table>' + '<tr><td rowspan=65000>x' * 2000", {
    isSliced: true,
    bound: "styles",
    harmless: elsewhere,
  }),
  drawn("HTML of fields that have parts of their own", "text/html", "'<input type=date>' * 4000", {
    isSliced: true,
    bound: "weight",
    harmless: elsewhere,
  }),
  drawn("HTML with letters beside others", "text/html", "'<ruby>x<rt>y</rt></ruby>' * 3000", {
    isSliced: true,
    bound: "weight",
    harmless: inOneGo,
  }),
  drawn("HTML of one long word", "text/html", "'w' * 600_000", {
    isSliced: true,
    bound: "weight",
    harmless: inOneGo,
  }),
  drawn("HTML of letters that are joined", "text/html", "'\u0645\u0631\u062d\u0628\u0627' * 20_000", {
    isSliced: true,
    bound: "weight",
    harmless: inOneGo,
  }),
  drawn(
    "an SVG of one long word",
    "image/svg+xml",
    `'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>' + 'w' * 5000 + '</text></svg>'`,
    { isSliced: false, bound: "weight", harmless: inOneGo },
  ),
  drawn(
    "an SVG of groups that are pale",
    "image/svg+xml",
    `'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 900">' + '<g opacity=".5"><rect width="900" height="900"/><circle r="400"/></g>' * 1900 + '</svg>'`,
    { isSliced: false, bound: "weight", harmless: inLittleTime },
  ),
  drawn(
    "an SVG of shapes with dashes",
    "image/svg+xml",
    `'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 900">' + '<circle r="800" fill="none" stroke="red" stroke-dasharray=".5 .5"/>' * 5000 + '</svg>'`,
    { isSliced: false, bound: "weight", harmless: inLittleTime },
  ),
  drawn(
    "HTML whose parts multiply when some are taken out",
    "text/html",
    "'<p>' + ''.join(f'<font color={n}>' for n in range(200)) + '<object><p>x</p></object>' * 3000",
    { isSliced: true, bound: "drawing" },
  ),
  drawn(
    "Markdown with emphasis that never ends, and a long list",
    "text/markdown",
    "'*a **a ' * 4_000 + '\\n\\n' + '- x\\n' * 15_000",
    {
      isSliced: true,
      // Two pieces of a list of the shortest entries there are, where the engine is quick.
      allows: { nodes: 8000 },
      bound: "drawing",
      isBrief: true,
    },
  ),
  drawn("an SVG whose parts refer to each other", "image/svg+xml", nestedUses(), {
    isSliced: false,
    bound: "drawing",
    harmless: elsewhere,
  }),
  drawn(
    "an SVG of as many elements as are drawn",
    "image/svg+xml",
    `'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">' + '<rect x="1" width="9" height="9"/>' * 9_900 + '</svg>'`,
    { isSliced: false, bound: "frames", harmless: { ...elsewhere, webkitgtk: "it paints beside the page" } },
  ),
  drawn("a picture of 8 MB", "image/png", "b'\\x89PNG\\r\\n' + bytes(8_000_000)", {
    isSliced: false,
    bound: "picture",
  }),
  {
    name: "output of 100,000 lines",
    entry: "outputs",
    code: "for number in range(100_000):\n    print(number)",
    refusedWith: null,
    isSliced: false,
    draws: "output",
    bound: "output",
  },
  {
    name: "texts of two streams by turns",
    entry: "outputs",
    code: [
      "import sys",
      "for _ in range(200):",
      "    print('x\\n' * 30_000)",
      "    print('x\\n' * 30_000, file=sys.stderr)",
    ].join("\n"),
    refusedWith: null,
    isSliced: false,
    draws: "output",
    bound: "frames",
  },
  {
    name: "an error that is an end of a line, and another",
    entry: "outputs",
    code: "raise ValueError('\\n' * 1_000_000)",
    refusedWith: "PYTHON_ERROR",
    isSliced: false,
    draws: "output",
    bound: "text lines",
  },
  {
    name: "plain texts of nothing but ends of lines",
    entry: "displays",
    code: `class Shown:\n    def _repr_mimebundle_(self, **_): return {"text/plain": "\\n" * 100_000}\nfor _ in range(20): display(Shown())`,
    refusedWith: null,
    isSliced: false,
    draws: "output",
    bound: "text lines",
    harmless: { webkitgtk: "it lays out empty lines in less time" },
  },
  stored("a text whose direction changes all the time", "turns.txt", "'א a' * 20_000", {
    isSliced: false,
    bound: "scripts",
  }),
  stored("a text of marks on one letter", "marks.txt", "'a' + '\\u0301' * 60_000", {
    isSliced: false,
    bound: "scripts",
    harmless: { firefox: "it sets marks in the time of letters" },
  }),
  stored(
    "a text in letters of very many scripts",
    "scripts.txt",
    "''.join(chr(0x400 + n * 97 % 0x2000) for n in range(199_000))",
    {
      isSliced: false,
      bound: "scripts",
    },
  ),
  drawn("HTML whose direction changes all the time", "text/html", "'<pre>' + 'א a' * 100_000 + '</pre>'", {
    isSliced: false,
    bound: "scripts",
    harmless: elsewhere,
  }),
  {
    name: "output whose direction changes all the time",
    entry: "outputs",
    code: "import sys\nfor _ in range(20):\n    print('א a' * 13_000)\n    print('א a' * 13_000, file=sys.stderr)",
    refusedWith: null,
    isSliced: false,
    draws: "output",
    bound: "scripts",
  },
  stored("a text of nothing but ends of lines", "lines.txt", "'\\n' * 1_000_000", {
    isSliced: false,
    bound: "text lines",
  }),
  stored("a source of nothing but ends of lines", "lines.py", "'\\n' * 1_000_000", {
    isSliced: false,
    bound: "text lines",
  }),
  drawn("Markdown with code of nothing but ends of lines", "text/markdown", "'```\\n' + '\\n' * 190_000 + '```\\n'", {
    isSliced: false,
    bound: "drawing",
  }),
  drawn(
    "an SVG of one long text",
    "image/svg+xml",
    `'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="5">' + 'x' * 800_000 + '</text></svg>'`,
    { isSliced: false, bound: "drawing", harmless: elsewhere, allows: LONGEST_SVG },
  ),
  drawn(
    "an SVG of HTML of nothing but ends of lines",
    "image/svg+xml",
    `'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><foreignObject width="9" height="9"><pre xmlns="http://www.w3.org/1999/xhtml">' + '\\n' * 300_000 + '</pre></foreignObject></svg>'`,
    { isSliced: false, bound: "drawing", harmless: elsewhere, allows: LONGEST_SVG },
  ),
  drawn("HTML of nothing but ends of lines", "text/html", "'<pre>' + '\\n' * 300_000 + '</pre>'", {
    isSliced: false,
    bound: "drawing",
    harmless: elsewhere,
  }),
  {
    name: "an argument of nothing but ends of lines that a person is to see",
    entry: "approvals",
    code: "tools.asked(value='\\n' * 400_000)",
    refusedWith: "CALL_NOT_ALLOWED",
    isSliced: false,
    draws: "approval",
    bound: "text lines",
  },
  {
    name: "an error with a message of 30 MB",
    entry: "outputs",
    code: "raise ValueError('x ' * 15_000_000)",
    refusedWith: "PYTHON_ERROR",
    isSliced: false,
    draws: "output",
    bound: "text",
    harmless: { firefox: "it lays out this text, of one line, in less time" },
  },
  {
    name: "records of twenty thousand keys each",
    entry: "results",
    code: "[{f'key{column}': 0 for column in range(20_000)} for _ in range(10)]",
    refusedWith: null,
    isSliced: true,
    draws: "output",
    bound: "rows",
  },
  {
    name: "records whose cells are long lists",
    entry: "results",
    code: "[{'cell': [0] * 300_000} for _ in range(10)]",
    refusedWith: null,
    isSliced: true,
    draws: "output",
    bound: "rows",
  },
  drawn("a picture of 40 MB in base64", "image/png", "'iVBORw0KGgoA' + 'AAAA' * 10_000_000", {
    isSliced: false,
    // Its size is counted where it comes in.
    allows: { encoded: 41_000_000 },
    bound: "picture",
    harmless: everywhere("what is in base64 is its address as it is"),
  }),
  {
    name: "a hundred documents of HTML",
    entry: "displays",
    code: `class Shown:\n    def _repr_mimebundle_(self, **_): return {"text/html": "<p>x</p>" * 3000}\nfor _ in range(100): display(Shown())`,
    refusedWith: null,
    isSliced: true,
    draws: "output",
    bound: "frames",
  },
  {
    name: "a hundred drawings in SVG",
    entry: "displays",
    code: `class Shown:\n    def _repr_mimebundle_(self, **_): return {"image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">' + '<rect x="1" width=".1" height=".1"/>' * 8000 + '</svg>'}\nfor _ in range(100): display(Shown())`,
    refusedWith: null,
    isSliced: false,
    draws: "output",
    bound: "frames",
  },
  {
    name: "a hundred tables",
    entry: "displays",
    code: `class Shown:\n    def _repr_mimebundle_(self, **_): return {"application/json": str([{"a": n, "b": n} for n in range(1000)]).replace("'", '"')}\nfor _ in range(100): display(Shown())`,
    refusedWith: null,
    isSliced: false,
    draws: "output",
    bound: "frames",
  },
  stored("records with ten keys each of their own", "wide.json", records(), {
    isSliced: false,
    bound: "drawing",
  }),
  stored("JSON of five million parts", "parts.json", "'[' + '[],' * 5_000_000 + '0]'", {
    isSliced: false,
    allows: { decoded: 16_000_000 },
    bound: "parsing",
  }),
  stored("30 MB of text", "long.txt", "'x' * 30_000_000", {
    isSliced: false,
    // The browser makes a text of bytes in milliseconds; no more than its beginning is drawn.
    allows: { decoded: 31_000_000 },
    bound: "text",
  }),
  stored("a picture of 4 MB", "large.png", "b'\\x89PNG\\r\\n' + bytes(4_000_000)", {
    isSliced: false,
    bound: "picture",
  }),
  stored(
    "a source of half a megabyte",
    "long.py",
    "'total = sum(value * 2 for value in values if value)  # all\\n' * 9_000",
    {
      isSliced: false,
      bound: "text",
    },
  ),
  stored("a table of 50,000 lines", "table.csv", "'a,b,c\\n' + '1,2,3\\n' * 50_000", {
    isSliced: false,
    bound: "rows",
  }),
  {
    name: "an argument of a million parts that a person is to see",
    entry: "approvals",
    code: "tools.asked(value=[0] * 1_000_000)",
    refusedWith: "CALL_NOT_ALLOWED",
    isSliced: true,
    draws: "approval",
    bound: "text",
  },
  {
    name: "values of megabytes of which a person asks for all",
    entry: "approvals",
    code: "tools.asked(value=['x\\u200b ' * 1_000_000, bytes(range(256)) * 8000, list(range(200_000))])",
    refusedWith: "CALL_NOT_ALLOWED",
    isSliced: true,
    draws: "whole approval",
    bound: "frames",
  },
  {
    name: "a skill of as many lines as it may have",
    entry: "approvals",
    code: "skills.create(name='asked', source='def run():\\n    return 1\\n' + '#\\u200b\\u200b\\u200b\\u200b\\n' * 49_990, description='')",
    refusedWith: "CALL_NOT_ALLOWED",
    isSliced: false,
    draws: "approval",
    bound: "frames",
  },
  {
    name: "a skill of more lines than that",
    entry: "skills.create",
    code: "skills.create(name='asked', source='def run():\\n    return 1\\n' + '\\n' * 300_000, description='')",
    refusedWith: "SKILL_INVALID",
    says: "50000 lines",
    isSliced: false,
    draws: "approval",
    bound: "lines",
  },
];

function nestedUses(): string {
  const uses = Array.from(
    { length: 5 },
    (_, n) => `<g id="a${String(n + 1)}">${`<use href="#a${String(n)}"/>`.repeat(10)}</g>`,
  );
  return JSON.stringify(`<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"/>${uses.join("")}</svg>`);
}

function records(): string {
  return "[{f'key{row}_{column}': 1 for column in range(10)} for row in range(120)]";
}

/** Makes an object and drops it. What its finalizer raises Python only reports; the code raises it. */
const noted = (ofClass: string): string => `
import sys
${ofClass}
seen, report = [], sys.unraisablehook
sys.unraisablehook = lambda unraisable: seen.append(unraisable.exc_value)
try:
    A()
finally:
    sys.unraisablehook = report
raise seen[0]`;

/** Code that recurses through C, and never comes back by itself. */
export const endlessRecursion: readonly (readonly [name: string, code: string])[] = [
  ["__repr__", "class A:\n    def __repr__(self): return repr(self)\nrepr(A())"],
  ["__hash__", "class A:\n    def __hash__(self): return hash(self)\nhash(A())"],
  ["__call__", "class A:\n    def __call__(self): return self()\nA()()"],
  ["__new__", "class A:\n    def __new__(cls): return cls()\nA()"],
  ["__bool__", "class A:\n    def __bool__(self): return bool(self)\nbool(A())"],
  ["__eq__", "class A:\n    def __eq__(self, other): return self == other\nA() == A()"],
  ["__getattr__", "class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().x"],
  ["__del__", noted("class A:\n    def __del__(self): self.__del__()")],
  ["a cached function", "import functools\n@functools.cache\ndef f(n): return f(n + 1)\nf(0)"],
  ["a key of sorted", "def f(n): return sorted([n], key=lambda x: f(x + 1))\nf(0)"],
  ["map", "def f(n): return list(map(f, [n]))\nf(0)"],
  ["a plain function", "def f(n): return f(n + 1)\nf(0)"],
  ["pickle of a deep list", "import pickle\na = []\nfor _ in range(5000): a = [a]\npickle.dumps(a)"],
];

/** The text so many times. */
export const repeated = (part: string, count: number): string => part.repeat(count);

/** Source of so many levels, which Python's parser and compiler go through by calling themselves. */
export const deepSources: readonly (readonly [name: string, source: (levels: number) => string])[] = [
  ["terms", (levels) => `1${repeated("+1", levels)}`],
  ["signs", (levels) => `${repeated("-", levels)}1`],
  ["attributes", (levels) => `x = 1\nx${repeated(".real", levels)}`],
  ["calls of methods", (levels) => `str()${repeated(".strip()", levels)}`],
  ["elif", (levels) => `if 0: pass\n${repeated("elif 0: pass\n", levels)}`],
];

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import {
  functionTool,
  PythonFloat,
  PythonTemporal,
  pythonTypeOf,
  Tuple,
  ZonedDate,
  type Session,
  type Value,
} from "../../../src/index.js";
import { openVariant, variants } from "./variants.js";

const tuple = (...items: Value[]): Tuple => Tuple.from(items);
const own = (key: string, value: Value): Value =>
  Object.defineProperty({}, key, { value, enumerable: true, writable: true, configurable: true });

const definitions = `
import array, collections, ctypes, dataclasses, datetime, decimal, enum, fractions, pathlib, types, uuid
utc = datetime.timezone.utc
offset = datetime.timezone(datetime.timedelta(hours=5, minutes=30))

@dataclasses.dataclass
class Point:
    x: int
    y: list

Pair = collections.namedtuple("Pair", "a b")

class Colour(enum.Enum):
    RED = "red"

class Level(enum.IntEnum):
    HIGH = 3

class Model:  # what a pydantic model looks like from outside
    model_fields = {"name": None, "size": None}
    def __init__(self, name, size): self.name, self.size = name, size
    def model_dump(self): return {}

class Plain:
    def __repr__(self): return "<plain>"

class Broken:
    def __repr__(self): raise RuntimeError("no")

class Text(str): pass

class Shouting(str):
    def __str__(self): return "LOUD"

class Locked(dict):
    def items(self): raise RuntimeError("no")
    def __iter__(self): raise RuntimeError("no")

class Liar:
    __class__ = property(lambda self: list)
    def __repr__(self): return "<liar>"

class Number(int): pass

cycle = [1]
cycle.append(cycle)
`;

/** Python → TypeScript. */
const fromPython: readonly (readonly [expression: string, expected: Value])[] = [
  ["None", null],
  ["True", true],
  ["False", false],
  ["'grüße 😀\\n\\x00'", "grüße 😀\n\0"],
  ["Text('t')", "t"],
  ["0", 0],
  ["-7", -7],
  ["Number(4)", 4],
  ["2**53", 2 ** 53],
  ["-2**53", -(2 ** 53)],
  ["2**53 + 1", 9007199254740993n],
  ["-2**53 - 1", -9007199254740993n],
  ["2**200", 2n ** 200n],
  ["10**5000", 10n ** 5000n],
  ["1.5", 1.5],
  ["2.0", 2],
  ["1e300", 1e300],
  ["-0.0", -0],
  ["float('nan')", NaN],
  ["float('inf')", Infinity],
  ["float('-inf')", -Infinity],
  ["b'\\x00\\xff'", Uint8Array.of(0, 255)],
  ["bytearray(b'ab')", Uint8Array.of(97, 98)],
  ["memoryview(b'abcd')[1:3]", Uint8Array.of(98, 99)],
  ["memoryview(b'abcdef')[::2]", Uint8Array.of(97, 99, 101)],
  ["memoryview(array.array('d', [1.5, float('inf')]))", Float64Array.of(1.5, Infinity)],
  ["memoryview(array.array('d', [1, 2, 3]))[::2]", Float64Array.of(1, 3)],
  ["memoryview((ctypes.c_float * 4)(1, 2, 3, 4)).cast('B').cast('f', [2, 2])", Float32Array.of(1, 2, 3, 4)],
  ["memoryview(array.array('i', [-1, 2]))", Int32Array.of(-1, 2)],
  ["memoryview(array.array('H', [1, 65535]))", Uint16Array.of(1, 65_535)],
  ["memoryview(array.array('b', [-1]))", Int8Array.of(-1)],
  ["memoryview(array.array('q', [2**60]))", BigInt64Array.of(2n ** 60n)],
  ["[b'x', memoryview(array.array('d', [7]))]", [Uint8Array.of(120), Float64Array.of(7)]],
  ["b''", new Uint8Array()],
  ["[1, 'a', None, [2.5]]", [1, "a", null, [2.5]]],
  ["[]", []],
  ["(1, (2, 3))", tuple(1, tuple(2, 3))],
  ["()", tuple()],
  ["{1, 'a'}", new Set<Value>([1, "a"])],
  ["frozenset({2})", new Set([2])],
  ["{'a': 1, 'b': {'c': [b'x']}}", { a: 1, b: { c: [Uint8Array.of(120)] } }],
  ["{}", {}],
  [
    "{1: 'a', 'b': 2}",
    new Map<Value, Value>([
      [1, "a"],
      ["b", 2],
    ]),
  ],
  ["{(1, 2): 'pair'}", new Map([[tuple(1, 2), "pair"]])],
  ["{None: 1}", new Map([[null, 1]])],
  ["{'$int': '0x1'}", { $int: "0x1" }],
  ["{'$bytes': 0}", { $bytes: 0 }],
  ["{'$dict': {'$x': 1}}", { $dict: { $x: 1 } }],
  ["{'__proto__': {'x': 1}}", own("__proto__", { x: 1 })],
  ["{'constructor': 1, 'toString': 2}", { constructor: 1, toString: 2 }],
  ["datetime.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=utc)", new ZonedDate("2026-01-02T03:04:05.000006+00:00")],
  ["datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=offset)", new ZonedDate("2026-01-02T03:04:05+05:30")],
  ["datetime.datetime(2026, 1, 2, 3, 4, 5)", new PythonTemporal("datetime", "2026-01-02T03:04:05")],
  ["datetime.date(2026, 1, 2)", new PythonTemporal("date", "2026-01-02")],
  ["datetime.time(3, 4, 5, 6)", new PythonTemporal("time", "03:04:05.000006")],
  ["datetime.timedelta(days=1, microseconds=5)", new PythonTemporal("timedelta", "86400000005")],
  ["datetime.timedelta(seconds=-1)", new PythonTemporal("timedelta", "-1000000")],
  ["Point(1, [2])", { x: 1, y: [2] }],
  ["Pair(1, b=(2,))", { a: 1, b: tuple(2) }],
  ["Model('n', 3)", { name: "n", size: 3 }],
  ["Colour.RED", "red"],
  ["Level.HIGH", 3],
  ["Plain()", { repr: "<plain>", type: "Plain" }],
  ["Broken()", { repr: "<Broken whose repr() raised RuntimeError>", type: "Broken" }],
  ["[Plain]", [{ repr: "<class '__main__.Plain'>", type: "type" }]],
  ["1j", { repr: "1j", type: "complex" }],
  ["fractions.Fraction(1, 2)", { repr: "Fraction(1, 2)", type: "Fraction" }],
  ["Shouting('quiet')", "quiet"],
  ["Locked(a=1)", { a: 1 }],
  ["Liar()", { repr: "<liar>", type: "Liar" }],
  ["cycle", [1, { repr: "[1, [...]]", type: "list" }]],
];

/** What has an obvious plain form crosses as that where it is an argument; the value of a run is what it is. */
const plainArguments: readonly (readonly [expression: string, expected: Value])[] = [
  ["range(3)", [0, 1, 2]],
  ["collections.deque([1, 2])", [1, 2]],
  ["array.array('i', [1, 2])", [1, 2]],
  ["{'a': 1}.keys()", ["a"]],
  ["{'a': 1}.values()", [1]],
  ["{'a': 1}.items()", [tuple("a", 1)]],
  ["types.MappingProxyType({'a': 1})", { a: 1 }],
  ["collections.ChainMap({'a': 1})", { a: 1 }],
  ["collections.UserDict(a=1)", { a: 1 }],
  ["collections.UserList([1])", [1]],
  ["collections.UserString('a')", "a"],
  ["pathlib.Path('/workspace/a.txt')", "/workspace/a.txt"],
  ["uuid.UUID(int=1)", "00000000-0000-0000-0000-000000000001"],
  ["decimal.Decimal('1.50')", 1.5],
  ["decimal.Decimal('3.00')", 3],
];

/** TypeScript → Python: what `type(x).__name__` and `repr(x)` say there. */
const fromPage: readonly (readonly [name: string, value: Value, type: string, repr: string])[] = [
  ["null", null, "NoneType", "None"],
  ["undefined", undefined, "NoneType", "None"],
  ["true", true, "bool", "True"],
  ["text", "grüße 😀\n\0", "str", "'grüße 😀\\n\\x00'"],
  ["an integral number", 42, "int", "42"],
  ["2^53", 2 ** 53, "int", "9007199254740992"],
  ["an integral number over 2^53", 2 ** 60, "int", "1152921504606846976"],
  ["a fraction", 1.5, "float", "1.5"],
  ["minus zero", -0, "float", "-0.0"],
  ["NaN", NaN, "float", "nan"],
  ["Infinity", Infinity, "float", "inf"],
  ["-Infinity", -Infinity, "float", "-inf"],
  ["an integral number tagged as float", new PythonFloat(2), "float", "2.0"],
  ["a bigint", 2n ** 70n, "int", String(2n ** 70n)],
  ["a negative bigint", -(2n ** 70n), "int", String(-(2n ** 70n))],
  ["bytes", Uint8Array.of(0, 255), "bytes", "b'\\x00\\xff'"],
  ["part of a buffer", new Uint8Array(Uint8Array.of(1, 2, 3).buffer, 1, 1), "bytes", "b'\\x02'"],
  ["an array", [1, "a", null, undefined], "list", "[1, 'a', None, None]"],
  ["a tuple", tuple(1, tuple(2)), "tuple", "(1, (2,))"],
  ["a set", new Set([1]), "set", "{1}"],
  ["a set in a set", new Set([new Set([1])]), "set", "{frozenset({1})}"],
  ["an object", { a: 1, "b c": [true] }, "dict", "{'a': 1, 'b c': [True]}"],
  [
    "a map",
    new Map<Value, Value>([
      [1, "a"],
      [tuple(1, 2), "b"],
    ]),
    "dict",
    "{1: 'a', (1, 2): 'b'}",
  ],
  ["a set with members that Python cannot hash", new Set<Value>([[1], { a: 1 }, 2]), "list", "[[1], {'a': 1}, 2]"],
  ["a set with sets and a list", new Set<Value>([new Set([1]), [2]]), "list", "[{1}, [2]]"],
  ["a set whose member is such a set", new Set([new Set([[1]])]), "list", "[[[1]]]"],
  ["a set with a tuple around a list", new Set([tuple(1, [2])]), "list", "[(1, [2])]"],
  [
    "a map with keys that Python cannot hash",
    new Map<Value, Value>([
      [{ id: 1 }, "a"],
      ["b", new Set([[2]])],
    ]),
    "list",
    "[({'id': 1}, 'a'), ('b', [[2]])]",
  ],
  ["a map within a map, by a list", { a: new Map([[[1], null]]) }, "dict", "{'a': [([1], None)]}"],
  ["an object that looks like a tag", { $int: "0x1" }, "dict", "{'$int': '0x1'}"],
  ["an object with the key __proto__", own("__proto__", 1), "dict", "{'__proto__': 1}"],
  [
    "a Date",
    new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)),
    "datetime",
    "datetime.datetime(2026, 1, 2, 3, 4, 5, 6000, tzinfo=datetime.timezone.utc)",
  ],
  [
    "a date with an offset",
    new ZonedDate("2026-01-02T03:04:05.000006+05:30"),
    "datetime",
    "datetime.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=datetime.timezone(datetime.timedelta(seconds=19800)))",
  ],
  [
    "a naive datetime",
    new PythonTemporal("datetime", "2026-01-02T03:04:05"),
    "datetime",
    "datetime.datetime(2026, 1, 2, 3, 4, 5)",
  ],
  ["a date", new PythonTemporal("date", "2026-01-02"), "date", "datetime.date(2026, 1, 2)"],
  ["a time", new PythonTemporal("time", "03:04"), "time", "datetime.time(3, 4)"],
  [
    "a duration",
    new PythonTemporal("timedelta", "86400000005"),
    "timedelta",
    "datetime.timedelta(days=1, microseconds=5)",
  ],
  ["an opaque object", { repr: "<x>", type: "X" }, "dict", "{'repr': '<x>', 'type': 'X'}"],
];

/** What Python gets back of what it sent, where that is not the same: [sent, returned]. */
const roundTrip: readonly (readonly [sent: string, returned: string])[] = [
  ...["None", "True", "'ü'", "7", "2**53 + 1", "-2**80", "1.5", "b'x'", "[1, (2, {3})]", "(1,)", "{1, (2, 3)}"].map(
    same,
  ),
  ...["{'a': {2: None}}", "{'$int': 1}", "{frozenset({1}), 2}", "{frozenset({1}): 2}"].map(same),
  ...["datetime.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=utc)", "datetime.datetime(2026, 1, 2, tzinfo=offset)"].map(
    same,
  ),
  ...["datetime.datetime(2026, 1, 2, 3)", "datetime.date(2026, 1, 2)", "datetime.time(3, 4, 5, 6)"].map(same),
  ...["datetime.timedelta(days=-3, microseconds=1)", "datetime.datetime.max", "datetime.timedelta.max"].map(same),
  ["bytearray(b'x')", "b'x'"],
  ["memoryview(b'x')", "b'x'"],
  ["memoryview(array.array('d', [1.5, 2]))", "[1.5, 2]"],
  ["frozenset({1})", "{1}"],
  ["2.0", "2"],
  ["Point(1, [2])", "{'x': 1, 'y': [2]}"],
  ["Pair(1, 2)", "{'a': 1, 'b': 2}"],
  ["Model('n', 3)", "{'name': 'n', 'size': 3}"],
  ["Colour.RED", "'red'"],
  ["Plain()", "{'repr': '<plain>', 'type': 'Plain'}"],
];

function same(expression: string): readonly [string, string] {
  return [expression, expression];
}

describe.each(variants)("values over $transport at the $host host", (variant) => {
  let session: Session;
  const received = new Map<number, Value>();
  let arrived: Value;
  let returned: Value;
  let given: Value;

  /** Each row is a call of its own; all are open at once, since a channel may take its time for each wait. */
  const callForEach = async (calls: readonly string[]): Promise<void> => {
    const gathered = calls.map((call) => `    ${call},`).join("\n");
    const { error } = await session.run(
      `import asyncio\nanswers = await asyncio.gather(\n${gathered}\n    return_exceptions=True,\n)`,
    );
    expect(error).toBeNull();
  };

  beforeAll(async () => {
    const any = z.object({ value: z.any() });
    session = await openVariant(variant, {
      tools: [
        functionTool({ name: "identity", description: "", input: any, run: ({ value }) => value as Value }),
        functionTool({ name: "give", description: "", input: z.object({}), run: () => given }),
        functionTool({
          name: "give_row",
          description: "",
          input: z.object({ row: z.number() }),
          run: ({ row }) => fromPage[row]?.[1],
        }),
        functionTool({
          name: "take_row",
          description: "",
          input: z.object({ row: z.number(), value: z.any() }),
          run: ({ row, value }) => {
            received.set(row, value as Value);
            return null;
          },
        }),
      ],
    });
    expect((await session.run(definitions)).error).toBeNull();
    await callForEach(
      fromPython.map(([expression], row) => `tools.take_row.call_async(row=${String(row)}, value=[${expression}])`),
    );
    await callForEach(fromPage.map((_each, row) => `tools.give_row.call_async(row=${String(row)})`));
    arrived = (await session.run("[[type(x).__name__, repr(x)] for x in answers]")).value;
    await callForEach(roundTrip.map(([sent]) => `tools.identity.call_async(value=[${sent}])`));
    const expected = roundTrip.map(([, expression]) => `(${expression}),`).join("\n");
    returned = (
      await session.run(
        `[type(back) is type(wanted) and back == wanted or repr(back) for [back], wanted in zip(answers, [\n${expected}\n])]`,
      )
    ).value;
  });
  afterAll(async () => {
    await session.close();
  });

  test.each(fromPython.map((row, index) => [...row, index] as const))(
    "%s comes as the value of a run and as the argument of a tool",
    async (expression, expected, row) => {
      const { value, error } = await session.run(expression);

      expect(error).toBeNull();
      expect(value).toStrictEqual(expected);
      expect(received.get(row)).toStrictEqual([expected]);
    },
  );

  test("what has an obvious plain form is that as an argument, and an object as the value of a run", async () => {
    await callForEach(
      plainArguments.map(([code], row) => `tools.take_row.call_async(row=${String(row)}, value=${code})`),
    );
    expect(plainArguments.map((_each, row) => received.get(row))).toStrictEqual(plainArguments.map(([, form]) => form));

    const { value } = await session.run(`[type(x).__name__ for x in [${plainArguments.map(([code]) => code).join()}]]`);
    const kept = await session.run(`[${plainArguments.map(([code]) => code).join()}]`);
    expect((kept.value as readonly Value[]).map((item) => pythonTypeOf(item))).toEqual(value);

    // A number of thirty digits is no float, and a list of a thousand million is none.
    await callForEach([
      "tools.take_row.call_async(row=0, value=decimal.Decimal('0.123456789012345678901234567891'))",
      "tools.take_row.call_async(row=1, value=range(10**9))",
    ]);
    expect([received.get(0), received.get(1)].map((item) => pythonTypeOf(item))).toEqual(["Decimal", "range"]);
  });

  test("dates keep their text, instant and zone", async () => {
    const { value } = await session.run("datetime.datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=offset)");

    expect(value).toBeInstanceOf(ZonedDate);
    expect((value as ZonedDate).text).toBe("2026-01-02T03:04:05.000006+05:30");
    expect((value as ZonedDate).toISOString()).toBe("2026-01-01T21:34:05.000Z");
  });

  test("objects that came from a class tell its name", async () => {
    const names = ["Point(1, [])", "Pair(1, 2)", "Model('n', 3)", "Plain()", "{}"].map(async (expression) =>
      pythonTypeOf((await session.run(expression)).value),
    );

    expect(await Promise.all(names)).toEqual(["Point", "Pair", "Model", "Plain", undefined]);
  });

  test("what is nested more than 100 levels deep ends in its repr", async () => {
    const { value } = await session.run("deep = []\nfor _ in range(150): deep = [deep]\ndeep");

    let depth = 0;
    let inner: Value = value;
    while (Array.isArray(inner)) {
      inner = inner[0] as Value;
      depth += 1;
    }
    expect(depth).toBe(100);
    expect(inner).toMatchObject({ type: "list" });
  });

  test.each(fromPage.map(([name, , type, repr], index) => [name, type, repr, index] as const))(
    "%s arrives in Python",
    (_name, type, repr, row) => {
      expect(arrived).toHaveProperty([row], [type, repr]);
    },
  );

  test.each(roundTrip.map(([sent, expected], index) => [sent, expected, index] as const))(
    "%s comes back to Python as %s",
    (_sent, _expected, row) => {
      expect(returned).toHaveProperty([row], true);
    },
  );

  test.each<[string, () => unknown]>([
    ["a function", () => () => 1],
    ["a symbol", () => Symbol("s")],
    [
      "a cycle",
      () => {
        const cycle: Record<string, unknown> = {};
        cycle.self = cycle;
        return cycle;
      },
    ],
    ["nesting over 100 levels", () => Array.from({ length: 150 }).reduce<unknown>((inner) => [inner], null)],
  ])("%s does not cross, and Python is told so", async (_name, make) => {
    given = make() as Value;

    const { error } = await session.run("tools.give()");

    expect(error).toMatchObject({ pythonType: "ToolError" });
    expect(error?.message).toContain("ValueNotTransferableError");
    expect((await session.run("1 + 1")).value).toBe(2);
  });
});

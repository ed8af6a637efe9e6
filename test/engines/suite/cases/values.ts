import { Tuple, ZonedDate, type Value } from "../../../../src/index.js";
import { lines, running } from "../../../conformance/conformance-case.js";
import type { EngineCase } from "../engine-case.js";

/** Python expressions whose values go to the page and come back as they were. */
const roundTrips = [
  "[None, True, False]",
  "'aä€😀\\x00'",
  "[0, -1, 2**53, 2**53 + 1, -(2**200)]",
  "[0.5, 1e308, float('inf')]",
  "bytes(range(256))",
  "[(1, (2, 3)), ()]",
  "{1, 2, 3}",
  "{'a': {'b': [1, None]}}",
  "{1: 'one', (1, 2): 'pair'}",
  "datetime.datetime(2026, 2, 28, 23, 59, 59, 123456, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))",
  "[datetime.date(2026, 1, 2), datetime.time(3, 4), datetime.timedelta(days=-1, microseconds=5)]",
];

const toPage: readonly (readonly [code: string, value: Value])[] = [
  ["2**53 + 1", 2n ** 53n + 1n],
  ["(1, 'two')", Tuple.from([1, "two"])],
  ["{1: 'a'}", new Map([[1, "a"]])],
  ["float('-inf')", -Infinity],
  ["bytearray(b'ab')", Uint8Array.of(97, 98)],
];

/** Values across the bridge. */
export const valueCases: readonly EngineCase[] = [
  {
    id: "values-1",
    title: "values go to a tool and come back with type and content",
    needs: ["sync_calls"],
    steps: [
      running(
        lines(
          "import datetime",
          `values = [${roundTrips.join(", ")}]`,
          "def same(one, other): return type(one) is type(other) and repr(one) == repr(other)",
          "[repr(value) for value in values if not same(tools.identity(value=value), value)]",
        ),
        { value: [] },
      ),
    ],
  },
  {
    id: "values-2",
    title: "values of runs come to the page in its own types",
    steps: toPage.map(([code, value]) => running(code, { value })),
  },
  {
    id: "values-3",
    title: "a value that cannot travel comes as its text and type",
    steps: [
      running("class P:\n    def __repr__(self): return 'P!'\nP()", { value: { repr: "P!", type: "P" } }),
      running("loop = []\nloop.append(loop)\nloop", { value: [{ repr: "[[...]]", type: "list" }] }),
    ],
  },
  {
    id: "values-4",
    title: "10 MB of bytes come as the value of a run",
    steps: [running("len(bytes(10 * 2**20))", { value: 10 * 2 ** 20 })],
  },
  {
    id: "values-5",
    title: "a moment with a zone keeps its zone",
    steps: [
      running(
        "import datetime\ndatetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=5, minutes=30)))",
        { value: new ZonedDate("2026-03-01T12:00:00+05:30") },
      ),
    ],
  },
];

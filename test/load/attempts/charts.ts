import type { LoadAttempt } from "./attempt.js";

const chart = (
  name: string,
  values: string,
  rest: string,
  { isBrief = false, bound = "charts" }: Partial<Pick<LoadAttempt, "isBrief" | "bound">> = {},
): LoadAttempt => ({
  name,
  entry: "displays",
  code: [
    "class Shown:",
    "    def _repr_mimebundle_(self, **_): return {'application/vnd.vegalite.v5+json': {",
    `        'data': {'values': ${values}}, 'mark': 'point', ${rest}}}`,
    "display(Shown())",
  ].join("\n"),
  refusedWith: null,
  isSliced: false,
  draws: "output",
  bound,
  isBrief,
});

const onePoint = "'encoding': {'x': {'field': 'a', 'type': 'quantitative'}}";

/** Charts, which the library draws in a worker. */
export const chartAttempts: readonly LoadAttempt[] = [
  chart(
    "a chart with an expression that never ends",
    "[{'a': 1}]",
    `'transform': [{'calculate': "test(/^(a+)+$/, '" + 'a' * 60 + "!')", 'as': 'b'}], ${onePoint}`,
  ),
  chart("a chart of two hundred thousand rows", "[{'a': n} for n in range(200_000)]", onePoint),
  chart("a chart of charts in one another", "[{'a': 1}]", `'concat': [{'mark': 'point', ${onePoint}}] * 3000`),
];

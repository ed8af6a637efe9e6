import type { LoadAttempt } from "./attempt.js";

/** What the arguments of a method may come to: names and queries, sources, or values. */
const methods: Readonly<Record<string, "ordinary" | "source" | "values">> = {
  "tools.list": "ordinary",
  "tools.names": "ordinary",
  "tools.forUrl": "ordinary",
  "tools.get": "ordinary",
  "tools.search": "ordinary",
  "tools.callables": "ordinary",
  "tools.callable": "ordinary",
  "tools.stub": "ordinary",
  "tools.stubs": "ordinary",
  "tools.call": "values",
  "tools.register": "source",
  "tools.begin": "ordinary",
  "skills.list": "ordinary",
  "skills.search": "ordinary",
  "skills.get": "ordinary",
  "skills.create": "source",
  "skills.delete": "ordinary",
  "skills.begin": "values",
  "skills.end": "source",
  "artifacts.save": "values",
  "artifacts.load": "ordinary",
  "artifacts.get": "ordinary",
  "artifacts.list": "ordinary",
  "artifacts.exists": "ordinary",
  "artifacts.delete": "ordinary",
  "artifacts.register": "values",
  "deps.list": "ordinary",
  "deps.add": "ordinary",
  "deps.remove": "ordinary",
  "deps.provide": "ordinary",
  "deps.sync": "ordinary",
  "helpers.call": "values",
  "invoke.end": "values",
  input: "ordinary",
};

/** Empty lists in the text of a request. Three characters each, and more work to make than any other three. */
const TOO_MANY = 10_000_000;
const AS_MANY_AS_FIT = { source: 2_600_000, values: 5_000_000 } as const;

const SAYS = { ordinary: "100,000", source: "8,000,000", values: "16,777,216" } as const;

/** In `npm test`: one for each way in which a request is bounded. */
const brief: ReadonlySet<string> = new Set(["artifacts.list", "tools.call"]);

/** A text that could be a tag has all values looked at once more. */
const sending = (method: string, lists: number): string =>
  `send(${JSON.stringify(method)}, '{"name":["$",' + '[],' * ${String(lists)} + '0]}')`;

/** For each method of the bridge a request that is longer than the page reads. */
const tooLong = Object.entries(methods).map(([method, kind]): LoadAttempt => ({
  name: `${method}: more text than it takes`,
  entry: method,
  code: sending(method, TOO_MANY),
  refusedWith: "REQUEST_TOO_LARGE",
  says: SAYS[kind],
  isSliced: false,
  bound: "request text",
  isBrief: brief.has(method),
}));

/** For each that takes large arguments a request as long as it may be, which the page reads in slices. */
const asLongAsAllowed = Object.entries(methods).flatMap(([method, kind]): LoadAttempt[] =>
  kind === "ordinary"
    ? []
    : [
        {
          name: `${method}: as much text as it takes`,
          entry: method,
          code: sending(method, AS_MANY_AS_FIT[kind]),
          // An end that no invocation waits for is no error.
          refusedWith: method === "invoke.end" ? null : "BRIDGE_ARGUMENT",
          isSliced: true,
          bound: "slices",
          isBrief: brief.has(method),
        },
      ],
);

export const methodAttempts: readonly LoadAttempt[] = [...tooLong, ...asLongAsAllowed];

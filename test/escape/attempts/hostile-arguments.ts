import type { Attempt, Place } from "./attempt.js";

/** Arguments by which a request would go elsewhere than its tool's author meant it to. */
const climbing: readonly (readonly [name: string, argument: string])[] = [
  ["a path that climbs", "../private.txt"],
  ["a path that climbs, encoded", "%2e%2e/private.txt"],
  ["a path that climbs, half encoded", ".%2E/private.txt"],
  ["a path that climbs by backslashes", "..\\private.txt"],
  ["a path that climbs behind a tab", "\t../private.txt"],
  ["a path that climbs behind a folder", "any/../../private.txt"],
];

const leaving: readonly (readonly [name: string, argument: (place: Place) => string])[] = [
  ["a host in the place of a path", ({ url }) => url.replace("http://", "/")],
  ["a host behind a backslash", ({ url }) => url.replace("http://", "\\")],
  ["a whole address in the place of a path", ({ url }) => url],
];

const common = { ring: "worker", group: "hostile arguments", language: "python", twin: "local" } as const;

/** Against tools that are careful; at `local` against some that put an argument into an address, or into an object, as it is. */
export const hostileArguments: readonly Attempt[] = [
  ...climbing.map(([name, argument]): Attempt => ({
    ...common,
    name,
    sign: "secret",
    code: () => `tools.public_file(name=${JSON.stringify(argument)})`,
  })),
  ...leaving.map(([name, argument]): Attempt => ({
    ...common,
    name,
    sign: "bytes",
    code: (place) => `tools.site_page(path=${JSON.stringify(argument(place))})`,
  })),
  {
    ...common,
    name: "an address that redirects to another host",
    sign: "bytes",
    code: ({ url }) => `tools.moved(to="${url}")`,
  },
  {
    ...common,
    name: "keys that name prototypes",
    sign: "effect",
    code: ({ mark }) => `tools.echo(value={"__proto__": {"${mark}": 1}, "constructor": {"prototype": {"${mark}": 1}}})`,
  },
  {
    ...common,
    name: "parameters that name prototypes",
    sign: "effect",
    code: ({ mark }) => `tools.echo(**{"__proto__": {"${mark}": 1}, "constructor": 1})`,
  },
];

/** Nothing shows that these succeed anywhere: what is asserted is that page and storage are as they were. */
export const argumentsWithoutTwin: readonly Attempt[] = [
  {
    ...common,
    name: "an artifact whose name climbs",
    sign: "effect",
    twin: null,
    code: ({ mark }) => `artifacts.save("../../${mark}", "${mark}")`,
  },
  {
    ...common,
    name: "a skill whose name climbs",
    sign: "effect",
    twin: null,
    code: ({ mark }) => `skills.create(name="../tools/${mark}", source="def run():\\n    pass")`,
  },
];

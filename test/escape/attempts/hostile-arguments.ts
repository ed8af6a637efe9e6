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

const common = { ring: "worker", group: "hostile arguments", language: "python", control: "local" } as const;

/** Against an HTTP tool; at `local` against a tool that puts its argument into the address as it is. */
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
];

/** Nothing shows that these succeed anywhere: what is asserted is that page and storage are as they were. */
export const argumentsWithoutControl: readonly Attempt[] = [
  [
    "keys that name prototypes",
    'tools.echo(value={"__proto__": {"breached": 1}, "constructor": {"prototype": {"breached": 1}}})',
  ],
  ["parameters that name prototypes", 'tools.echo(**{"__proto__": {"breached": 1}, "constructor": 1})'],
  ["an artifact whose name climbs", 'artifacts.save("../../breached", "breached")'],
  ["a skill whose name climbs", 'skills.create(name="../tools/breached", source="def run():\\n    pass")'],
].map(([name = "", code = ""]) => ({ ...common, name, sign: "effect", control: null, code: () => code }));

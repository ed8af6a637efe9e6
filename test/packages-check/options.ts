import { parseArgs } from "node:util";

import { engineNames, type EngineName } from "../engines/drivers/index.js";

export const USAGE = `npm run packages -- [options]
  Runs the package check in the browsers that are installed, keeps the results in docs/packages-results, and writes docs/packages.md.
  --engine NAME  only in this engine (${engineNames.join(", ")}); may be repeated
  --write        runs nothing, and writes docs/packages.md from the results that are there
  --check        as --write, but only fails where docs/packages.md differs
  --serve        builds the check and serves it, for any browser to open by hand
  --out FOLDER   builds the check into a folder, for a static host
  --help`;

export type Options =
  | { readonly kind: "help" | "write" | "check" | "serve" }
  | { readonly kind: "build"; readonly folder: string }
  | { readonly kind: "run"; readonly engines: readonly EngineName[]; readonly areNamed: boolean };

/** @throws {Error} for what is no option. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: "string", multiple: true },
      write: { type: "boolean" },
      check: { type: "boolean" },
      serve: { type: "boolean" },
      out: { type: "string" },
      help: { type: "boolean" },
    },
  });
  const kind = (["help", "write", "check", "serve"] as const).find((name) => values[name] === true);
  if (kind !== undefined) return { kind };
  if (values.out !== undefined) return { kind: "build", folder: values.out };
  const { engine } = values;
  return {
    kind: "run",
    engines: engine === undefined ? engineNames : engine.map(engineNamed),
    areNamed: engine !== undefined,
  };
}

function engineNamed(text: string): EngineName {
  const found = engineNames.find((name) => name === text);
  if (found === undefined) throw new Error(`There is no engine "${text}".`);
  return found;
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";

import { engineNames, type EngineName } from "../engines/drivers/index.js";
import type { Piece } from "./messages.js";

export const USAGE = `npm run py -- [options] (CODE | FILE | -)...

Runs Python in a session with the demo's tools, skills and data files, one piece after the other, and prints its output
and the value of each last expression. "-" reads standard input. The first piece that fails ends it, with exit code 1.

  --trust sandboxed|isolated|local       how the code is held (default: sandboxed)
  --engine chromium|firefox|webkitgtk    the browser (default: chromium)
  --timeout SECONDS                      a limit for each piece (default: 30; 0 for none)`;

const trustLevels = ["sandboxed", "isolated", "local"] as const;

export interface Options {
  readonly pieces: readonly Piece[];
  readonly trust: (typeof trustLevels)[number];
  readonly engine: EngineName;
  /** Milliseconds; null for no limit. */
  readonly timeout: number | null;
}

/** What was asked for cannot be done. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws {UsageError} */
export async function readOptions(args: readonly string[]): Promise<Options | "help"> {
  const { values, positionals } = parse(args);
  if (values.help) return "help";
  if (positionals.length === 0) throw new UsageError('There is nothing to run: give code, a file or "-".');
  const seconds = Number(values.timeout);
  if (!(seconds >= 0)) throw new UsageError(`--timeout takes a number of seconds, not "${values.timeout}".`);
  return {
    pieces: await Promise.all(positionals.map(readPiece)),
    trust: oneOf(trustLevels, values.trust, "--trust"),
    engine: oneOf(engineNames, values.engine, "--engine"),
    timeout: seconds === 0 ? null : seconds * 1000,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        trust: { type: "string", default: "sandboxed" },
        engine: { type: "string", default: "chromium" },
        timeout: { type: "string", default: "30" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function readPiece(source: string): Promise<Piece> {
  if (source === "-") {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
    return { code: Buffer.concat(chunks).toString("utf8"), name: "stdin" };
  }
  if (existsSync(source)) return { code: await readFile(source, "utf8"), name: basename(source) };
  if (/^[\w./\\-]+\.py$/.test(source)) throw new UsageError(`There is no file ${source}.`);
  return { code: source, name: "string" };
}

function oneOf<T extends string>(names: readonly T[], name: string, option: string): T {
  const found = names.find((each) => each === name);
  if (found === undefined) throw new UsageError(`${option} is one of ${names.join(", ")}, not "${name}".`);
  return found;
}

import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Tags } from "yaml";
import type { z } from "zod";

import { isNestedDeeper, messageOf, type SourceFile } from "../../protocol/index.js";

import { ToolFileError } from "../errors.js";
import { DEEPEST_DEFINITION } from "../nesting.js";
import { linkAliases } from "./yaml-aliases.js";

type Path = readonly PropertyKey[];

interface Parsed {
  readonly source: SourceFile;
  readonly document: ReturnType<typeof parseDocument>;
  readonly lines: LineCounter;
}

/** A YAML file, or a part of one, together with where its parts stand, so that a message can name the line. */
export class YamlSource {
  readonly value: unknown;
  readonly #parsed: Parsed;
  /** From the whole file to this part. */
  readonly #path: Path;

  private constructor(parsed: Parsed, value: unknown, path: Path) {
    this.#parsed = parsed;
    this.value = value;
    this.#path = path;
  }

  /**
   * `version` 1.1 is what PyYAML reads: there `yes` is a boolean and `<<` merges.
   *
   * @throws {ToolFileError} when the text is not YAML.
   */
  static read(source: SourceFile, { version = "1.2" }: { readonly version?: "1.1" | "1.2" } = {}): YamlSource {
    const lines = new LineCounter();
    const document = parseDocument(source.text, {
      lineCounter: lines,
      prettyErrors: false,
      version,
      // A date stays the text that it was: tools get text, not a Date of this machine's zone.
      customTags: (tags) =>
        tags.filter((tag) => typeof tag === "string" || !tag.tag.endsWith(":timestamp")).map(withoutShortBooleans),
    });
    const parsed = { source, document, lines };
    const yaml = new YamlSource(parsed, valueOf(parsed), []);
    if (isNestedDeeper(yaml.value, DEEPEST_DEFINITION)) {
      throw yaml.error([], `it is nested more than ${String(DEEPEST_DEFINITION)} levels deep`);
    }
    return yaml;
  }

  /** What stands at `path`. Its errors name the field and the line of the whole file. */
  part(path: Path): YamlSource {
    return new YamlSource(this.#parsed, this.#at(path), [...this.#path, ...path]);
  }

  /** @throws {ToolFileError} for the first field that does not fit. */
  parse<T>(schema: z.ZodType<T>): T {
    const result = schema.safeParse(this.value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    if (issue === undefined) throw this.error([], "it does not fit");
    if (issue.code === "unrecognized_keys" && issue.keys[0] !== undefined) {
      throw this.error([...issue.path, issue.keys[0]], "there is no such field");
    }
    const missing = issue.code === "invalid_type" && this.#at(issue.path) === undefined;
    throw this.error(issue.path, missing ? "it is missing" : lowerFirst(issue.message));
  }

  /** A problem of the field at `path`, with its line, or the line of what should hold it. */
  error(path: Path, reason: string): ToolFileError {
    const whole = [...this.#path, ...path];
    const field = whole.length === 0 ? undefined : whole.map(String).join(".");
    return new ToolFileError(this.#parsed.source.file, lineOf(whole, this.#parsed), field, reason);
  }

  #at(path: Path): unknown {
    let value = this.value;
    for (const key of path) {
      if (typeof value !== "object" || value === null) return undefined;
      value = Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
    }
    return value;
  }
}

function valueOf({ source, document, lines }: Parsed): unknown {
  const broken = (message: string, offset: number): ToolFileError =>
    new ToolFileError(
      source.file,
      lines.linePos(offset).line || 1,
      undefined,
      `it is not valid YAML: ${lowerFirst(message)}`,
    );
  const [error] = document.errors;
  if (error !== undefined) throw broken(error.message, error.pos[0]);
  const fault = linkAliases(document);
  if (fault !== undefined) throw broken(fault.reason, fault.offset);
  try {
    return document.toJS();
  } catch (cause) {
    // An alias that refers to nothing, or to far too much.
    throw broken(messageOf(cause), 0);
  }
}

function lineOf(path: Path, { document, lines }: Parsed): number | undefined {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof key === "number") {
      node = node.items[key];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
}

/** YAML 1.1 takes `y` and `n` for booleans; PyYAML, for which `short: n` was written, does not. */
function withoutShortBooleans(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || tag.collection !== undefined || !tag.tag.endsWith(":bool")) return tag;
  const { test } = tag;
  if (test?.test("y") === true) return { ...tag, test: /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/ };
  if (test?.test("n") === true) return { ...tag, test: /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/ };
  return tag;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

import { constructFromEvents, CORE_SCHEMA, mapTag, parseEvents, seqTag, strTag, YAMLException } from "js-yaml";

import { checkAliases } from "./check-aliases.js";
import { YamlFault } from "./yaml-fault.js";
import { YamlPositions } from "./yaml-positions.js";

export interface ParsedYaml {
  /** Null where there is no document. */
  readonly value: unknown;
  /** The line of a part, by its JSON pointer; where there is no such part, of what should hold it. */
  readonly lineOf: (pointer: string) => number | undefined;
}

/**
 * Levels of lists and mappings inside one another: the parser recurses, and so does what writes them as JSON. The stack of a
 * worker holds some 800 before the engine has translated the parser.
 */
const MAX_DEPTH = 500;

/** A tag that YAML's core schema does not know (`!include`, `!!timestamp`) changes nothing: its node is what it looks like. */
const anyTag = { tagName: "", matchByTagPrefix: true, implicit: false } as const;
const SCHEMA = CORE_SCHEMA.withTags({ ...strTag, ...anyTag }, { ...seqTag, ...anyTag }, { ...mapTag, ...anyTag });

/**
 * Parses YAML 1.2. The `yaml` package, which reads the files that people write, keeps a tree with every blank and
 * comment, for which a document of megabytes takes several times as long.
 *
 * @throws {YamlFault} when it is no YAML, or more than one document, or what its aliases stand for has no bounds.
 */
export function parseYaml(text: string): ParsedYaml {
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH });
    const positions = new YamlPositions(text, events);
    checkAliases({ text, events, maxDepth: MAX_DEPTH, lineAt: (offset) => positions.lineAt(offset) });
    const [value = null, ...others] = constructFromEvents(events, { source: text, schema: SCHEMA });
    if (others.length > 0) throw new YamlFault("it holds more than one document");
    return { value, lineOf: (pointer) => positions.lineOf(pointer) };
  } catch (error) {
    throw error instanceof YAMLException ? faultOf(error) : error;
  }
}

/** What the parser says in words of its own code is said in others. */
function faultOf({ reason, mark }: YAMLException): YamlFault {
  // It does not know where that key stands.
  if (reason.endsWith("complex keys")) return new YamlFault("a list or mapping cannot be a key");
  const isDeep = reason.startsWith("nesting exceeded");
  const inWords = isDeep ? `it is nested more than ${String(MAX_DEPTH)} levels deep` : reason;
  return new YamlFault(inWords, mark === undefined ? undefined : mark.line + 1);
}

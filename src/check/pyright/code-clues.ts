/** A key between quotes, and behind it what says that the code asks for it or puts it there. */
const HANDLED_KEY = /['"](?=([^'"\\\n]*)['"]\s*(?:(?:not\s+)?in\b|\]\s*[-+*/|&]*=(?!=)|:))/g;

/** A name behind a dot, and behind it what says that the code sets it. */
const SET_ATTRIBUTE = /\.(\p{XID_Continue}+)(?=\s*(?::|[-+*/|&]*=(?!=)))/gu;

/** What code says of itself that a type checker does not hear. Its whole text is gone through once for all questions. */
export class CodeClues {
  readonly #code: string;
  #keys: ReadonlySet<string> | undefined;
  #attributes: ReadonlySet<string> | undefined;
  #catchesKeyErrors: boolean | undefined;
  #setsAnyAttribute: boolean | undefined;

  constructor(code: string) {
    this.#code = code;
  }

  /** Whether the code looks for the key, or puts it somewhere. A key that is not spelt as it is may be either. */
  handlesKey(key: string): boolean {
    this.#keys ??= found(HANDLED_KEY, this.#code);
    return this.#keys.has(key) || /['"\\\n]/.test(key);
  }

  /** Whether a missing key is something that the code expects. */
  get catchesKeyErrors(): boolean {
    return (this.#catchesKeyErrors ??=
      /\bexcept\s*:/.test(this.#code) || this.#code.split("\n").some(catchesKeyErrors));
  }

  setsAttribute(name: string): boolean {
    this.#setsAnyAttribute ??= /\bsetattr\(|__dict__/.test(this.#code);
    if (this.#setsAnyAttribute) return true;
    this.#attributes ??= found(SET_ATTRIBUTE, this.#code);
    return this.#attributes.has(name);
  }
}

function found(pattern: RegExp, code: string): ReadonlySet<string> {
  return new Set(Array.from(code.matchAll(pattern), ([, name = ""]) => name));
}

/** In two steps: a pattern of both would go through the rest of the line from each `except` again. */
function catchesKeyErrors(line: string): boolean {
  const at = line.search(/\bexcept\b/);
  return at >= 0 && /\b(?:KeyError|LookupError|Exception)\b/.test(line.slice(at));
}

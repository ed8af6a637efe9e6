import type { AuthChoices, HttpAuth } from "../http/index.js";
import { forbiddenHeaderReason } from "../requests/forbidden-headers.js";
import { entries, items, member, OpenApiFault, text, type Located, type OpenApiDocument } from "./document.js";

export interface SecurityOptions {
  readonly toolName: string;
  /** By the name of a scheme: a text with `${NAME}` where its secret stands; of `basic`, `${USER}:${PASSWORD}`. */
  readonly schemes: ReadonlyMap<string, string>;
  /** In place of all that the document says. */
  readonly auth: readonly HttpAuth[] | undefined;
}

/** How the operations of a document say who calls. */
export class Security {
  readonly #document: OpenApiDocument;
  readonly #options: SecurityOptions;
  readonly #made = new Map<string, HttpAuth | OpenApiFault>();

  constructor(document: OpenApiDocument, options: SecurityOptions) {
    this.#document = document;
    this.#options = options;
  }

  /** `note` hears of alternatives that a web page cannot use. */
  choicesOf(operation: Located, note: (fault: OpenApiFault) => void): AuthChoices {
    if (this.#options.auth !== undefined) return [this.#options.auth];
    const root: Located = { value: this.#document.root, pointer: "" };
    const requirements = items(member(operation, "security") ?? member(root, "security"));
    const choices: (readonly HttpAuth[])[] = [];
    for (const requirement of requirements) {
      try {
        choices.push(entries(requirement).map(([scheme, part]) => this.#authOf(scheme, part.pointer)));
      } catch (error) {
        if (!(error instanceof OpenApiFault)) throw error;
        note(error);
      }
    }
    return choices;
  }

  #authOf(scheme: string, from: string): HttpAuth {
    const made = this.#made.get(scheme) ?? this.#read(scheme, from);
    // That there is none is told where it is asked for.
    if (!(made instanceof OpenApiFault) || made.pointer !== from) this.#made.set(scheme, made);
    if (made instanceof OpenApiFault) throw made;
    return made;
  }

  #read(name: string, from: string): HttpAuth | OpenApiFault {
    const root: Located = { value: this.#document.root, pointer: "" };
    const schemes = member(member(root, "components") ?? root, "securitySchemes");
    const found = schemes === undefined ? undefined : member(schemes, name);
    if (found === undefined) return new OpenApiFault(from, `there is no security scheme '${name}'`);
    try {
      const scheme = this.#document.object(found);
      return this.#authOfScheme(name, scheme);
    } catch (error) {
      if (error instanceof OpenApiFault) return error;
      throw error;
    }
  }

  #authOfScheme(name: string, scheme: Located): HttpAuth {
    const type = text(member(scheme, "type"));
    const secret = this.#options.schemes.get(name);
    switch (type) {
      case "apiKey": {
        const place = text(member(scheme, "in"));
        const sentAs = text(member(scheme, "name"));
        const value = secret ?? `\${${this.#secretName(name)}}`;
        if (place === "query" && sentAs !== "") return { type: "query", name: sentAs, value };
        const reason =
          place === "header"
            ? forbiddenHeaderReason(sentAs)
            : `a web page cannot send a key in a ${place || "place that is not named"}`;
        if (reason !== undefined)
          throw new OpenApiFault(scheme.pointer, `the security scheme '${name}' cannot be used: ${reason}`);
        return { type: "header", name: sentAs, value };
      }
      case "http": {
        const how = text(member(scheme, "scheme")).toLowerCase();
        if (how === "bearer") return { type: "bearer", token: secret ?? `\${${this.#secretName(name)}}` };
        if (how === "basic")
          return basic(secret ?? `\${${this.#secretName(name)}_USER}:\${${this.#secretName(name)}_PASSWORD}`);
        throw new OpenApiFault(
          scheme.pointer,
          `the security scheme '${name}' cannot be used: ${how || "it names no way"}`,
        );
      }
      case "oauth2":
      case "openIdConnect":
        // How a token is come by is the page's affair; here it is one.
        return { type: "bearer", token: secret ?? `\${${this.#secretName(name)}}` };
      default:
        throw new OpenApiFault(
          scheme.pointer,
          `the security scheme '${name}' cannot be used: ${type || "it has no type"}`,
        );
    }
  }

  /** `LIBRARY_API_KEY` for the scheme `apiKey` of the tool `library`. */
  #secretName(scheme: string): string {
    const words = `${this.#options.toolName}_${scheme}`.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
    return words
      .replace(/[^A-Za-z0-9]+/g, "_")
      .replace(/^(?=\d)/, "_")
      .toUpperCase();
  }
}

function basic(value: string): HttpAuth {
  // The colon between the two, not one within a reference.
  const [, user = value, password = ""] = /^((?:\$\{[^}]*\}|[^:$])*):(.*)$/s.exec(value) ?? [];
  return { type: "basic", user, password };
}

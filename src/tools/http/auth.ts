import { z } from "zod";

import { messageOf } from "../../protocol/index.js";
import { referencesIn, SecretNotFoundError, type UsedSecrets } from "../../secrets/index.js";
import { ToolCallError } from "../errors.js";
import { forbiddenHeaderReason } from "../requests/forbidden-headers.js";
import type { YamlSource } from "../yaml/yaml-source.js";

/** How a request says who makes it. The texts hold `${NAME}` where a secret stands. */
export type HttpAuth =
  | { readonly type: "bearer"; readonly token: string }
  | { readonly type: "basic"; readonly user: string; readonly password: string }
  | { readonly type: "header"; readonly name: string; readonly value: string }
  | { readonly type: "query"; readonly name: string; readonly value: string };

/** Ways to say who one is, the best first; each is a list of what is sent together. The empty one means: nothing. */
export type AuthChoices = readonly (readonly HttpAuth[])[];

/** What is added to a request. */
export interface Credentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

const text = z.string().min(1);
const Kind = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("bearer"), token: text }),
  // A service that knows its caller by a key alone leaves one of the two empty.
  z.strictObject({ type: z.literal("basic"), user: z.string().default(""), password: z.string().default("") }),
  z.strictObject({ type: z.literal("header"), name: text, value: text }),
  z.strictObject({ type: z.literal("query"), name: text, value: text }),
]);

/** `auth:` of a tool file: one way, or a list of what is sent together, or `none`. */
export const AuthField = z
  .union([z.literal("none"), Kind, z.array(Kind).min(1)], {
    error:
      "write `none`, or one or a list of {type: bearer, token}, {type: basic, user, password}, " +
      "{type: header, name, value}, {type: query, name, value}",
  })
  .nullish();
export type AuthField = z.infer<typeof AuthField>;

/** @throws {ToolFileError} for a header that cannot be sent, a reference that names none, a secret written down. */
export function readAuth(source: YamlSource, path: readonly string[], field: AuthField): AuthChoices {
  if (field === undefined || field === null || field === "none") return [];
  const all = Array.isArray(field) ? field : [field];
  for (const [index, auth] of all.entries())
    checkAuth(auth, (reason) => source.error([...path, ...at(field, index)], reason));
  return [all];
}

/** Why a text with references cannot be used; undefined when it can. */
export function referenceProblem(value: string): string | undefined {
  try {
    referencesIn(value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * The first of the choices whose secrets are all there, filled in; without any choice, nothing.
 *
 * @throws {SecretNotFoundError} for the first choice, when none can be had.
 */
export async function fillAuth(
  choices: AuthChoices,
  { secrets, toolName }: { readonly secrets: UsedSecrets; readonly toolName: string },
): Promise<Credentials> {
  let missing: SecretNotFoundError | undefined;
  // Who can say who he is does so, also where he need not.
  for (const choice of choices.toSorted((a, b) => Number(a.length === 0) - Number(b.length === 0))) {
    try {
      const filled = await Promise.all(choice.map((auth) => fill(auth, { secrets, toolName })));
      return { headers: filled.flatMap(({ headers }) => headers), query: filled.flatMap(({ query }) => query) };
    } catch (error) {
      if (!(error instanceof SecretNotFoundError)) throw error;
      missing ??= error;
    }
  }
  if (missing !== undefined) throw missing;
  return { headers: [], query: [] };
}

async function fill(
  auth: HttpAuth,
  { secrets, toolName }: { readonly secrets: UsedSecrets; readonly toolName: string },
): Promise<Credentials> {
  const neededBy = `tool '${toolName}'`;
  switch (auth.type) {
    case "bearer":
      return { headers: [["Authorization", `Bearer ${await secrets.fill(auth.token, neededBy)}`]], query: [] };
    case "basic": {
      const [user, password] = await Promise.all(
        [auth.user, auth.password].map((part) => secrets.fill(part, neededBy)),
      );
      const encoded = base64(`${user ?? ""}:${password ?? ""}`);
      const [name] = [...referencesIn(auth.password), ...referencesIn(auth.user)];
      if (name !== undefined) secrets.note(name, encoded);
      return { headers: [["Authorization", `Basic ${encoded}`]], query: [] };
    }
    case "header":
      return { headers: [[auth.name, await secrets.fill(auth.value, neededBy)]], query: [] };
    case "query":
      return { headers: [], query: [[auth.name, await secrets.fill(auth.value, neededBy)]] };
  }
}

/** Sets a header of the file whose value may hold a secret: the value itself must not show in the error. */
export function setSecretHeader(headers: Headers, [name, value]: readonly [string, string], toolName: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ToolCallError(toolName, `the value of the header ${name} holds characters that a header cannot carry`);
  }
}

function checkAuth(auth: HttpAuth, refuse: (reason: string) => Error): void {
  const texts = textsOf(auth);
  for (const value of texts) {
    const problem = referenceProblem(value);
    if (problem !== undefined) throw refuse(problem);
  }
  const forbidden = auth.type === "header" ? forbiddenHeaderReason(auth.name) : undefined;
  if (forbidden !== undefined) throw refuse(forbidden);
  if (texts.every((value) => referencesIn(value).length === 0)) {
    throw refuse("write the name of a secret, as in ${API_KEY}, and put its value into the session's secret store");
  }
}

function textsOf(auth: HttpAuth): string[] {
  if (auth.type === "bearer") return [auth.token];
  return auth.type === "basic" ? [auth.user, auth.password] : [auth.value];
}

function at(field: AuthField, index: number): number[] {
  return Array.isArray(field) ? [index] : [];
}

function base64(value: string): string {
  return btoa(Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join(""));
}
